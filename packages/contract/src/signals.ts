import * as z from "zod";
import { problems, unkeyedBodyErrors } from "./errors";
import { channelPathParams, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { findRoundedNumber, numberRule } from "./json-value";
import { limits } from "./limits";
import { example, metadata } from "./operation-metadata";
import { c, nothing } from "./router";
import { byteLength } from "./text";
import { unsentCodes } from "./unsent-codes";

const { type, maxDataBytes, perSecond } = limits.signal;
const maxBytes = maxDataBytes.toLocaleString("en-US");
const typeRule = `Must have ${type.minLength} to ${type.maxLength} characters: lower-case letters a-z, digits, _ and . only.`;

export const signalType = z
  .string()
  .regex(/^[a-z0-9_.]{1,40}$/, typeRule)
  .meta({
    description: `What the signal says, ${type.minLength} to ${type.maxLength} characters: lower-case letters, digits, \`_\` and \`.\`. The application decides.`,
    examples: ["typing"],
  });

/** Any object. Not one of Zod, which would drop a field named `__proto__`. */
export const signalData = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "Must be an object.",
  )
  .superRefine((data, context) => {
    const path = isSmall(data) ? findRoundedNumber(data) : [];
    if (path === undefined) return;
    const message = path.length > 0 ? numberRule : `Must have at most ${maxBytes} bytes as JSON.`;
    context.addIssue({ code: "custom", path, message });
  })
  .meta({
    description: `Any object of at most ${maxBytes} bytes as JSON, without whole numbers beyond ±${Number.MAX_SAFE_INTEGER.toLocaleString("en-US")}.`,
    type: "object",
    additionalProperties: true,
    examples: [{ percent: 40 }],
  });

function isSmall(data: object): boolean {
  try {
    return byteLength(JSON.stringify(data)) <= maxDataBytes;
  } catch {
    // Too deep to be encoded, so longer as well.
    return false;
  }
}

export const signals = c.router({
  send: {
    method: "POST",
    path: "/group/channels/:channel_id/signals",
    summary: "Send a signal",
    description: `For typing, presence and progress. A signal is stored nowhere: it reaches the streams of events that are open with \`live=true\`, usually within 250 ms; it may be lost, and is not in the feed. The sender must be allowed to send messages to the channel. A user, and a key without \`user_id\`, may send ${perSecond} a second to a channel. An idempotency key has no effect.`,
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        user_id: userId.meta({ description: "The sender. Absent: the application." }).optional(),
        type: signalType,
        data: signalData.optional(),
      })
      .meta({ id: "NewSignal", description: "A signal to send." }),
    responses: {
      200: c.noBody(),
      ...problems([...unkeyedBodyErrors, ...unsentCodes]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      selfField: "user_id",
      isRepeatable: true,
      auditedFrom: "never",
      examples: { requests: example("A user types", { user_id: "kim_01", type: "typing" }) },
    }),
  },
});
