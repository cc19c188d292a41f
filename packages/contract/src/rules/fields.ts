import * as z from "zod";
import { idHint, idPattern, limits } from "./limits";
import { text } from "./text";

/**
 * What the ids of requests name. Audit entries have a field each for users, channels and messages, and one for everything else. A copy
 * of an id with another description keeps its kind.
 */
export const idKinds = z.registry<{ readonly kind: "user" | "channel" | "message" | "other" }>();

function id({ minLength, maxLength }: { minLength: number; maxLength: number }, pattern = idPattern) {
  return z
    .string()
    .min(minLength, `Must have at least ${minLength} characters.`)
    .max(maxLength, `Must have at most ${maxLength} characters.`)
    .regex(pattern, `Must contain only lower-case letters a-z, digits and _. ${idHint}`);
}

export const userId = id(limits.userId)
  .register(idKinds, { kind: "user" })
  .meta({
    description: "The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.",
    examples: ["kim_01"],
  });

/** The id of every erased user, in responses. No other user can have it. */
export const erasedUserId = "~deleted";

/** The sender of a message to import. */
export const importedSenderId = id(limits.userId, new RegExp(`${idPattern.source}|^${erasedUserId}$`)).meta({
  description: `The sender: an existing user, who need not be a participant of the channel, or \`${erasedUserId}\` for a message of nobody.`,
  examples: ["kim_01"],
});

export const channelId = id(limits.channelId)
  .register(idKinds, { kind: "channel" })
  .meta({
    description: "The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.",
    examples: ["room_1"],
  });

export const userName = text(limits.userName).meta({
  description: "A name of 1 to 80 characters (Unicode code points).",
  examples: ["Kim"],
});

export const channelName = text(limits.channelName).meta({
  description: "A name of 1 to 150 characters (Unicode code points).",
  examples: ["Lunch"],
});

/** An id that the service assigns, in a request. Wider than those ids: what else fits names nothing. */
export function assignedId(description: string, example: string, kind: "message" | "other" = "other") {
  const { minLength, maxLength } = limits.assignedId;
  return z
    .string()
    .min(minLength, "Must not be empty.")
    .max(maxLength, `Must have at most ${maxLength} characters.`)
    .regex(/^[A-Za-z0-9_-]*$/, "Must contain only letters A-Z and a-z, digits, _ and -.")
    .register(idKinds, { kind })
    .meta({ description, examples: [example] });
}

export const messageId = assignedId(
  "The id of a message, as the service assigned it.",
  "1700000000000-1041",
  "message",
);

/** The ids of what a request is about, in a body. */
export function ids(id: typeof userId, what: string, { min, max }: { min: number; max: number }) {
  return z
    .array(id)
    .min(min, `Must contain at least ${min} of the ${what}.`)
    .max(max, `Must contain at most ${max} ${what}.`)
    .meta({ description: `The ids of ${min} to ${max} ${what}. Duplicates count once.` });
}

/** The format of several values in one parameter. The SDK takes them as an array. */
export const commaSeparated = "comma-separated";

/** The ids of what a list shall contain, in a query string. */
export function idList(
  id: z.ZodString,
  what: string,
  others = "without other parameters",
  { min, max }: { min: number; max: number } = limits.idsPerList,
) {
  return z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(id).min(min).max(max, `Must contain at most ${max} ${what}.`))
    .meta({
      description: `Only these ${what}, in this order, without those that do not exist: 1 to ${max} ids, separated by commas. Sent ${others}; duplicates count once.`,
      type: "string",
      format: commaSeparated,
    });
}

/** What to find users or channels by, in a query string. */
export const nameQuery = (what: string) =>
  text(limits.nameQuery).meta({
    description: `Only ${what} whose name has these words one after the other, the last one perhaps incomplete: \`min j\` finds \`Kim Min-ji\`. Words are runs of letters and digits, compared as the search of messages does it; a text without any finds the names that contain it. Ordered as with \`name_prefix\`, but the first page begins with the one whose id this is, or that \`ids.encode\` of the SDK makes of it. A request reads for a limited time: a page may have fewer ${what} than \`limit\`, or none, and still a \`next\`.`,
    examples: ["min j"],
  });

/** In a query of messages. */
export const asUser = {
  as_user: userId
    .meta({
      description:
        "A user: reactions then have `own`, whether this user has them. With a user's token or key, always the user itself.",
    })
    .optional(),
};

/** In the field of a body that names the user itself. */
export const selfRule = "With a user's token or key, the user itself, and may be left out.";

/** In a path of a channel. */
export const channelPathParams = z.object({ channel_id: channelId });

/** In a path of a user. */
export const userPathParams = z.object({ user_id: userId });

/** In a path of a user in a channel. */
export const memberPathParams = channelPathParams.extend({ user_id: userId });

/** In a path of a message. */
export const messagePathParams = channelPathParams.extend({ message_id: messageId });

/** In a response. */
export const profileUrl = z
  .string()
  .optional()
  .meta({ description: "The URL of an image. Absent if there is none." });

/** In a request. */
export const profileUrlInput = text(limits.profileUrl).meta({
  description: "The URL of an image, at most 2,048 characters. The empty string means none.",
  examples: ["https://example.com/kim.png"],
});

/** A time. Programs recognize it by its format: the `madang` command prints it as a date. */
export const timestamp = z.int().meta({
  description: "Milliseconds since the Unix epoch, UTC.",
  format: "unix-ms",
  examples: [1_700_000_000_000],
});

/** The server responds with it, too, when the time has passed: a schema does not know what time it is. */
export const futureTimeRule = "Must be a future time in milliseconds since the Unix epoch.";

/** A time that a restriction ends at. 0 is without end. */
export const endTime = timestamp.meta({ format: "unix-ms-or-0" });

const timeRule = "Must be a time in milliseconds since the Unix epoch.";

/** A time in a query string. */
export function queryTime(description: string) {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, timeRule)
    .transform(Number)
    .meta({ description, type: "integer", format: "unix-ms" });
}

/** Checked by the list that receives it, which rejects any other string with `invalid_cursor`. */
export const cursor = z.string().meta({
  description:
    "The cursor of an earlier response, sent without other parameters: it contains the whole first query. It never expires.",
});

export const nextCursor = z.string().optional().meta({
  description:
    "The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit.",
});

/** A boolean in a query string. */
export function flag(description: string) {
  return z
    .string()
    .refine((value) => value === "true" || value === "false", "Must be true or false.")
    .transform((value) => value === "true")
    .meta({ description, type: "boolean", default: false });
}

/** An integer in a query string: plain decimal digits. An out-of-range value is rejected, not clamped. */
export function pageSize(
  { min, max, default: defaultSize }: { min: number; max: number; default: number },
  what = "The number of entries per page",
) {
  const rule = `Must be a whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .meta({
      description: `${what}: ${min} to ${max.toLocaleString("en-US")}, default ${defaultSize}.`,
      type: "integer",
      minimum: min,
      maximum: max,
      default: defaultSize,
    });
}

export const reason = text(limits.moderationReason).meta({
  description: "Why, 1 to 500 characters.",
  examples: ["Advertising"],
});
