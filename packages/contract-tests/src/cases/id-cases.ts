import type { ErrorCode } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { problem } from "../problem";
import { requiredFieldCases } from "./body-cases";
import { valueCases } from "./value-cases";

/** An id has 4 to 80 characters: lower-case letters, digits and `_`. */
export function idCases(
  accepted: Interaction,
  location: "path" | "query" | "body",
  path: string,
): Interactions {
  const rejects = { ...invalidIds, ...(location === "body" && notIds) };
  return valueCases(accepted, location, path, { accepts: validIds, rejects });
}

/** The ids in the path are valid, and they exist where the operation has an error for one that does not. */
export function pathCases(
  accepted: Interaction,
  codes: readonly ErrorCode[],
  includesDeletedUsers: boolean,
): Interactions {
  const { channel_id, user_id, message_id, webhook_id, report_id, erasure_id, file_id } =
    accepted.request?.params ?? {};
  return {
    ...(channel_id !== undefined && {
      ...idCases(accepted, "path", "channel_id"),
      ...(codes.includes("channel_not_found") && missingChannelCases(accepted, channel_id)),
    }),
    ...(user_id !== undefined && {
      ...idCases(accepted, "path", "user_id"),
      ...(codes.includes("user_not_found") && missingUserCases(accepted, user_id, includesDeletedUsers)),
    }),
    ...(message_id !== undefined && messageCases(accepted)),
    ...(webhook_id !== undefined && assignedIdCases(accepted, "webhook_id", "webhook_not_found")),
    ...(report_id !== undefined && assignedIdCases(accepted, "report_id", "report_not_found")),
    ...(erasure_id !== undefined && assignedIdCases(accepted, "erasure_id", "erasure_not_found")),
    ...(file_id !== undefined && assignedIdCases(accepted, "file_id", "file_not_found")),
  };
}

function missingChannelCases({ given, request }: Interaction, channelId: string): Interactions {
  const response = problem(404, "channel_not_found");
  return {
    "rejects a channel_id that does not exist": {
      given,
      request: { ...request, params: { ...request?.params, channel_id: "missing_room" } },
      response,
    },
    "rejects a channel that was deleted": {
      given: { ...given, deletedChannels: [channelId] },
      request,
      response,
    },
  };
}

function messageCases(accepted: Interaction): Interactions {
  const { given, request } = accepted;
  const response = problem(404, "message_not_found");
  return {
    ...valueCases(accepted, "path", "message_id", { rejects: invalidMessageIds }),
    "rejects a message_id that does not exist": {
      given,
      request: { ...request, params: { ...request?.params, message_id: "1042" } },
      response,
    },
    "rejects a message of another channel": {
      given: { ...given, channels: [...(given?.channels ?? []), { channel_id: "room_2", name: "Dinner" }] },
      request: { ...request, params: { ...request?.params, channel_id: "room_2" } },
      response,
    },
    "rejects a message that was deleted": { given: { ...given, deletedMessages: [1] }, request, response },
  };
}

function missingUserCases(
  { given, request }: Interaction,
  userId: string,
  includesDeletedUsers: boolean,
): Interactions {
  const response = problem(404, "user_not_found");
  return {
    "rejects a user_id that does not exist": {
      given,
      request: { ...request, params: { ...request?.params, user_id: "missing_user" } },
      response,
    },
    ...(!includesDeletedUsers && {
      "rejects a user that was deleted": { given: { ...given, deletedUsers: [userId] }, request, response },
    }),
  };
}

/** An id that the service assigned. */
function assignedIdCases(accepted: Interaction, name: string, code: ErrorCode): Interactions {
  return {
    ...valueCases(accepted, "path", name, {
      rejects: {
        "of 65 characters": "w".repeat(65),
        "with a dot": "wh.1",
        "with a slash": "wh/1",
        "with Hangul": "wh_김",
        "with a NUL": "wh_1\0",
      },
    }),
    [`rejects a ${name} that does not exist`]: {
      given: accepted.given,
      request: { ...accepted.request, params: { [name]: "id_none" } },
      response: problem(404, code),
    },
  };
}

/** A field of the body is required, has a valid user id, and the user exists. */
export function bodyUserCases(accepted: Interaction, field: string): Interactions {
  const { given, request } = accepted;
  const body = Object(request?.body);
  return {
    ...requiredFieldCases(accepted, [field]),
    ...idCases(accepted, "body", field),
    [`rejects a ${field} that does not exist`]: {
      given,
      request: { ...request, body: { ...body, [field]: "missing_user" } },
      response: problem(404, "user_not_found"),
    },
    [`rejects a ${field} that was deleted`]: {
      given: { ...given, deletedUsers: [body[field]] },
      request,
      response: problem(404, "user_not_found"),
    },
  };
}

const validIds = {
  "of 4 characters": "kim1",
  "of 80 characters": "k".repeat(80),
  "of letters, digits and _": "_az_09_",
};

const invalidIds = {
  "of 3 characters": "kim",
  "of 81 characters": "k".repeat(81),
  "with an upper-case letter": "Kim_01",
  "with a hyphen": "kim-01",
  "with a dot": "kim.01",
  "with a slash": "kim/01",
  "with Hangul": "kim_김김",
  "with a full-width digit": "kim_０１",
  "with a trailing space": "kim_01 ",
  "with a trailing line break": "kim_01\n",
  "with a NUL": "kim_01\0",
};

export const invalidMessageIds = {
  "of 65 characters": "1".repeat(65),
  "with a dot": "1.2",
  "with a slash": "1/2",
  "with Hangul": "1김",
  "with a trailing space": "1-2 ",
  "with a NUL": "1-2\0",
};

const notIds = { "set to an empty string": "", "set to a number": 12_345, "set to null": null };
