import { createBatcher } from "../../db/batch";
import type { Queryable } from "../../db/db";
import { isDatabaseUnavailable } from "../../db/faults";
import { ServiceError } from "../../errors";
import { isWaitingForKey } from "../../idempotency/store";
import type { Writer } from "../../idempotency/writer";
import type { MessageRow } from "./row";
import { type NewMessage, sendBatch, sendMessage } from "./store";

interface Sending {
  readonly writer: Writer;
  readonly message: NewMessage;
}

/**
 * Sends messages in batches. A channel's row counts its messages and allows one writer at a time; a batch writes it once.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (writer: Writer, message: NewMessage) => Promise<MessageRow> {
  const send = createBatcher<Sending, MessageRow>({
    keyOf: ({ message }) => message.channelId,
    distinctOf: ({ writer: { claim } }) => claim && `${claim.caller} ${claim.key}`,
    // On Citus, the channels of a batch would be on several nodes.
    isSingleKeyed: db.isDistributed,
    maxSize: 64,
    maxRunning: db.isDistributed ? Number.POSITIVE_INFINITY : 2,
    maxWaitMs: 2_000,
    maxWaitAfterFailureMs: 250,
    runMany: (batch, mayWait) => sendBatch(db, batch, now(), mayWait),
    runOne: ({ writer, message }) => sendMessage(writer, message, now()),
    isUnavailable: (error) => isDatabaseUnavailable(error) && !isWaitingForKey(error),
    lateError: ({ message }) =>
      new ServiceError(
        "unavailable",
        `Too many messages are being sent to the channel ${message.channelId}. Try again shortly.`,
      ),
  });
  return (writer, message) => send({ writer, message });
}
