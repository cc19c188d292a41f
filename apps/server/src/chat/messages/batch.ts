import type { Queryable } from "../../db/db";
import { batchBySchema, createBatcher } from "../../write/batcher";
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
  const send = batchBySchema(db, (schema) =>
    createBatcher<Sending, MessageRow>({
      groupOf: ({ message }) => message.channelId,
      distinctOf: ({ request, message }) => [...idempotencyNames(request), ...nameExternalId(message)],
      maxRunning: 2,
      runMany: (batch) => sendMessages(schema, batch, now()),
      runOne: (sending) => sendMessage(schema, sending, now()),
    }),
  );
  // A message with files is no part of a batch: it takes further statements.
  return ({ request }, message) =>
    isPlain(message)
      ? send(message.channelId, { request, message })
      : sendMessage(db, { request, message }, now());
}

/** A name that is equal for messages that cannot both be stored. */
const nameExternalId = ({ channelId, externalId }: NewMessage): readonly string[] =>
  externalId === null ? [] : [`external_id ${channelId} ${externalId}`];
