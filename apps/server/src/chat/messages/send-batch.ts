import type { Queryable } from "../../db/db";
import { batchWrites } from "../../write/batch-writes";
import type { Writer } from "../../write/writer";
import { isOneStatement, type NewMessage } from "./new-message";
import { type Sending, sendMessage, sendMessages } from "./send-store";
import type { MessageRow } from "./store";

/**
 * Sends messages in batches. A channel's row counts its messages and allows one writer at a time; a batch writes it once.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (writer: Writer, message: NewMessage) => Promise<MessageRow> {
  const send = batchWrites<Sending, MessageRow>(db, {
    channelOf: ({ message }) => message.channelId,
    groupOf: ({ message }) => message.channelId,
    namesOf: ({ message }) => nameExternalId(message),
    runMany: (schema, batch, maxLockWaitMs) => sendMessages(schema, batch, now(), maxLockWaitMs),
    runOne: ({ writer, message }) => sendMessage(writer, message, now()),
  });
  // A message with files is no part of a batch: it takes further statements.
  return (writer, message) =>
    isOneStatement(message) ? send({ writer, message }) : sendMessage(writer, message, now());
}

/** A name that is equal for messages that cannot both be stored. */
const nameExternalId = ({ channelId, externalId }: NewMessage): readonly string[] =>
  externalId === null ? [] : [`external_id ${channelId} ${externalId}`];
