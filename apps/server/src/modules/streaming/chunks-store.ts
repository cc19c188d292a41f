import { type Queryable, readSchemas, type Statement } from "../../db/db";

/** Appends of a message that follow each other. */
interface Chunks {
  readonly pk: number;
  readonly channelPk: number;
  /** The index of the first one. */
  readonly index: number;
  readonly contents: string[];
}

/** The appends of each message after the first ones. A message without any is left out. */
export async function readChunks(
  db: Queryable,
  messagePks: readonly number[],
  counts: readonly number[],
): Promise<Chunks[]> {
  return (await readSchemas(db, read, [messagePks, counts])).flat();
}

const read: Statement<Chunks> = {
  name: "streaming.read-chunks",
  text: `SELECT message_pk AS pk, min(channel_pk) AS "channelPk", min(number) - 1 AS index,
      array_agg(content ORDER BY number) AS contents
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (key, count)
    CROSS JOIN LATERAL (
      SELECT * FROM message_chunks WHERE message_pk = key AND number > count OFFSET 0) AS chunk
    GROUP BY message_pk`,
};
