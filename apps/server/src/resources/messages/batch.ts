import type { Queryable } from "../../db/db";
import { nameClaim, type Writer } from "../../idempotency/writer";
import { createBatcher } from "../batcher";
import type { NewMessage } from "./new-message";
import { sendBatch } from "./send-batch-store";
import { sendMessage } from "./send-store";
import type { MessageRow } from "./store";

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
    distinctOf: ({ writer }) => nameClaim(writer),
    // On Citus, the channels of a batch are on several nodes.
    isSingleKeyed: db.isDistributed,
    maxRunning: db.isDistributed ? Number.POSITIVE_INFINITY : 2,
    runMany: (batch, mayWait) => sendBatch(db, batch, now(), mayWait),
    runOne: ({ writer, message }) => sendMessage(writer, message, now()),
  });
  // On Citus, the keys are not on the node of the channel.
  return (writer, message) =>
    db.isDistributed && writer.claim !== undefined
      ? sendMessage(writer, message, now())
      : send({ writer, message });
}
