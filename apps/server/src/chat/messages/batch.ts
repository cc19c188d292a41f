import type { Queryable } from "../../db/db";
import { createBatcher } from "../../write/batcher";
import { idempotencyNames } from "../../write/request";
import type { Writer } from "../../write/writer";
import { isPlain, type NewMessage } from "./new-message";
import { type Sending, sendMessage, sendMessages } from "./send-store";
import type { MessageRow } from "./store";

/**
 * Sends messages in batches. A channel's row counts its messages and allows one writer at a time; a batch writes it once.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (writer: Writer, message: NewMessage) => Promise<MessageRow> {
  const send = createBatcher<Sending, MessageRow>({
    groupOf: ({ message }) => message.channelId,
    distinctOf: ({ request, message }) => [...idempotencyNames(request), ...nameExternalId(message)],
    maxRunning: db.isDistributed ? Number.POSITIVE_INFINITY : 2,
    runMany: (batch) => sendMessages(db, batch, now()),
    runOne: (sending) => sendMessage(db, sending, now()),
  });
  // A message with files is no part of a batch: it takes further statements.
  return ({ request }, message) =>
    isPlain(message) ? send({ request, message }) : sendMessage(db, { request, message }, now());
}

/** A name that is equal for messages that cannot both be stored. */
const nameExternalId = ({ channelId, externalId }: NewMessage): readonly string[] =>
  externalId === null ? [] : [`external_id ${channelId} ${externalId}`];
