import type { Queryable } from "../../db/db";
import { createBatcher } from "../../write/batcher";
import { nameKey } from "../../write/request";
import { openWriter, type Writer } from "../../write/writer";
import type { NewMessage } from "./new-message";
import { type BatchedMessage, sendBatch } from "./send-batch-store";
import { sendMessage } from "./send-store";
import type { MessageRow } from "./store";

/**
 * Sends messages in batches. A channel's row counts its messages and allows one writer at a time; a batch writes it once.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (writer: Writer, message: NewMessage) => Promise<MessageRow> {
  const send = createBatcher<BatchedMessage, MessageRow>({
    keyOf: ({ message }) => message.channelId,
    distinctOf: ({ request }) => nameKey(request),
    // On Citus, the channels of a batch are on several nodes.
    isSingleKeyed: db.isDistributed,
    maxRunning: db.isDistributed ? Number.POSITIVE_INFINITY : 2,
    runMany: (batch, mayWait) => sendBatch(db, batch, now(), mayWait),
    runOne: ({ request, message }) => sendMessage(openWriter(db, request), message, now()),
  });
  return ({ request }, message) => send({ request, message });
}
