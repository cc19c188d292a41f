import { blockersIn } from "../../chat/restrictions/conditions";
import { type Db, readSchemas, type Statement } from "../../db/db";

/** Appends of a message that follow each other. */
interface Appends {
  readonly pk: number;
  readonly channelPk: number;
  /** The index of the first one. */
  readonly index: number;
  readonly contents: string[];
  /** Who in the channel has blocked the sender. */
  readonly blockerPks: readonly number[];
}

/** The appends of each message after the first ones. A message without any is left out. */
export async function readChunks(
  db: Db,
  messagePks: readonly number[],
  counts: readonly number[],
): Promise<Appends[]> {
  const found = (await readSchemas(db, read, [messagePks, counts])).flat();
  const byMessage = Map.groupBy(found, ({ pk }) => pk);
  return [...byMessage.values()].flatMap((chunks) => {
    const [first] = chunks;
    return first === undefined ? [] : { ...first, contents: chunks.flatMap(divide) };
  });
}

/** The end of what was written of a message so far: up to so many characters, at most 512. Undefined: it is not being written. */
export async function readEnd(
  db: Db,
  messagePk: number,
  characters: number,
): Promise<{ readonly content: string; readonly appendCount: number } | undefined> {
  const [end] = await db.query(readLast, [messagePk, characters]);
  return end;
}

// All chunks but the last one have at least 512 characters.
const readLast: Statement<{ readonly content: string; readonly appendCount: number }> = {
  name: "streaming.read-end",
  text: `SELECT right(string_agg(content, '' ORDER BY number), $2) AS content, max(number + cardinality(lengths)) AS "appendCount"
    FROM (
      SELECT content, number, lengths FROM message_chunks WHERE message_pk = $1 ORDER BY number DESC LIMIT 2) AS latest
    HAVING count(*) > 0`,
};

interface FoundChunk extends Omit<Appends, "contents"> {
  /** What its appends have together. */
  readonly content: string;
  /** How many characters each of them has. */
  readonly lengths: readonly number[];
}

function divide({ content, lengths }: FoundChunk): string[] {
  const characters = [...content];
  return lengths.map((length) => characters.splice(0, length).join(""));
}

// Reads from the last chunk that begins at the count or before it.
const read: Statement<FoundChunk> = {
  name: "streaming.read-chunks",
  text: `SELECT message_pk AS pk, channel_pk AS "channelPk", GREATEST(number, count) AS index, found.lengths,
      to_json(${blockersIn("channel_pk", "sender.pk")}) AS "blockerPks",
      right(content, (SELECT sum(length)::integer FROM unnest(found.lengths) AS length)) AS content
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (key, count)
    CROSS JOIN LATERAL (
      SELECT * FROM message_chunks WHERE message_pk = key AND number >= (
        SELECT max(number) FROM message_chunks WHERE message_pk = key AND number <= count) OFFSET 0) AS chunk
    CROSS JOIN LATERAL (SELECT chunk.lengths[GREATEST(count - number, 0) + 1:]::integer[] AS lengths) AS found
    CROSS JOIN LATERAL (SELECT (
      SELECT sender_pk FROM message_chunks WHERE message_pk = key AND number = 0) AS pk) AS sender
    WHERE cardinality(found.lengths) > 0 ORDER BY message_pk, number`,
};
