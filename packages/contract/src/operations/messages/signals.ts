import * as z from "zod";
import { problems, unkeyedBodyErrors } from "../../errors/errors";
import { unsentCodes } from "../../errors/unsent-codes";
import { example, metadata } from "../../operation-metadata";
import { signalData, signalType } from "../../resources/signal";
import { c, nothing } from "../../router";
import { channelPathParams, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const { perSecond } = limits.signal;

export const signals = c.router({
  send: {
    method: "POST",
    path: "/group/channels/:channel_id/signals",
    summary: "Send a signal",
    description: `For typing and progress. A signal is stored nowhere: it reaches the streams of events that are open with \`live=true\`, usually within 250 ms; it may be lost, and is not in the feed. The sender must be allowed to send messages to the channel. A user, and a key without \`user_id\`, may send ${perSecond} a second to a channel. An idempotency key has no effect.`,
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
      sdk: { isRetried: false },
      access: "any_key",
      user: "self",
      selfField: "user_id",
      isRepeatable: true,
      auditedFrom: "never",
      examples: { requests: example("A user types", { user_id: "kim_01", type: "typing" }) },
    }),
  },
});
