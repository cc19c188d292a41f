import { existsFor } from "../../chat/channels/visibility";
import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import type { Database, Db, Statement } from "../../db/db";
import { columnsOf } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import { isNewer, oldest, type Position, positionsDescending } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { maxUnindexed, readUnindexed, unindexedOfChannel, unindexedOfUser } from "./changes-store";
import { type Extent, fromOf, toOf } from "./extent";
import { type Candidate, positionAfter, type Range, type Ranges, type Source } from "./find";
import { messagesPerBlock, probeCount, signatureVersion } from "./signature";

/** The probes that signatures must contain, and the sender whose messages are compared (all if undefined). */
export interface Wanted {
  readonly probes: readonly number[];
  readonly senderPk: number | undefined;
}

interface ChannelRange extends Range {
  readonly schema: Db;
  readonly channelPk: number;
  readonly channelId: string;
}

interface SchemaRange extends Range {
  readonly group: Db;
}

export function searchChannel(
  db: Db,
  { channelId, channelPk }: { channelId: string; channelPk: number },
  wanted: Wanted,
): Source {
  const changes = (before: Position) => readUnindexed(db, unindexedOfChannel, channelPk, before);
  return createSource(
    { schemas: [db.channel(channelId)], ownerPk: channelPk, find: ofChannel, changes },
    wanted,
    { blocks: 4_096, ranges: 32 },
  );
}

/** The messages of the channels in which the user is a participant. */
export function searchUser(db: Database, userPk: number, wanted: Wanted): Source {
  const changes = (before: Position) => readUnindexed(db, unindexedOfUser, userPk, before);
  return createSource({ schemas: db.schemas(), ownerPk: userPk, find: ofUser, changes }, wanted, {
    blocks: 64,
    ranges: 8,
  });
}

/** The messages of all channels. Reads every message: an index over all channels would make every send slower. */
export function searchEverything(db: Database, { senderPk }: Wanted): Source {
  if (senderPk !== undefined) return searchSender(db, senderPk, oldest);
  return searchSchemas(db, oldest, ({ group: schema, before }, ...max) =>
    schema.query(readAll, [before.createdAt, before.pk, ...max]),
  );
}

/** The messages of all channels that a user sent after a position. */
export function searchSender(db: Database, senderPk: number, after: Position): Source {
  return searchSchemas(db, after, ({ group: schema, from, before }, ...max) =>
    schema.query(readSender, [senderPk, from.createdAt, from.pk, before.createdAt, before.pk, ...max]),
  );
}

function searchSchemas(
  db: Database,
  from: Position,
  read: (range: SchemaRange, limit: number, maxBytes: number) => Promise<Candidate[]>,
): Source<SchemaRange> {
  return {
    async findRanges(before) {
      const size = Number.POSITIVE_INFINITY;
      return { ranges: db.schemas().map((group) => ({ group, from, before, size })), floor: undefined };
    },
    readRanges: (ranges, ...max) => Promise.all(ranges.map((range) => read(range, ...max))),
  };
}

/** The numbers of blocks to compare and of ranges to return in each channel, for an `effort` of 1. */
interface Limits {
  readonly blocks: number;
  readonly ranges: number;
}

const maxBlocks = 32_768;
const maxRanges = 512;

/** The channels that are searched: one, or those of a user. */
interface Searched {
  readonly schemas: readonly Db[];
  /** The key of the channel, or of the user. */
  readonly ownerPk: number;
  readonly find: Statement<FoundRow>;
  /** What the index has not consumed yet. */
  changes(before: Position): Promise<readonly Extent[]>;
}

function createSource(
  { schemas, ownerPk, find, changes: findChanges }: Searched,
  { probes, senderPk }: Wanted,
  limits: Limits,
): Source<ChannelRange> {
  return {
    async findRanges(before, effort) {
      const blocks = Math.min(maxBlocks, limits.blocks * effort);
      const rangeCount = Math.min(maxRanges, limits.ranges * effort);
      // Before the blocks: what is no change any more is in the signature of its block.
      const changes = await findChanges(before);
      const changesOf = Map.groupBy(changes, ({ channelPk }) => channelPk);
      const values = [ownerPk, before.createdAt, before.pk, probes, signatureVersion, blocks, rangeCount];
      const perSchema = schemas.map(async (schema) =>
        [...Map.groupBy(await schema.query(find, values), ({ channelPk }) => channelPk)].map(
          ([channelPk, rows]) =>
            toRanges(rows, changesOf.get(channelPk) ?? [], { schema, before, rangeCount }),
        ),
      );
      const found = (await Promise.all(perSchema)).flat();
      const floors = found.flatMap(({ floor }) => floor ?? []);
      // All those of one time are in the list, and the list is in the order of the times.
      if (changes.length >= maxUnindexed) floors.push({ createdAt: changes.at(-1)?.toAt ?? 0, pk: -1 });
      const [floor] = floors.sort(positionsDescending);
      return { ranges: found.flatMap(({ ranges }) => ranges), floor };
    },
    async readRanges(ranges, ...max) {
      const read: Candidate[][] = ranges.map(() => []);
      const indexes = Map.groupBy(ranges.keys(), (index) => ranges[index]?.schema);
      const perSchema = [...indexes].map(async ([schema, ofSchema]) => {
        const each = ofSchema.flatMap((index) => ranges[index] ?? []);
        const rows = await schema?.query(readRanges, [
          each.map(({ channelPk }) => channelPk),
          each.map(({ from }) => from.createdAt),
          each.map(({ from }) => from.pk),
          each.map(({ before }) => before.createdAt),
          each.map(({ before }) => before.pk),
          senderPk,
          ...max,
        ]);
        for (const { number, ...message } of rows ?? []) {
          const range = each[number - 1];
          const index = ofSchema[number - 1];
          if (range === undefined || index === undefined) throw new Error(`There is no range ${number}.`);
          read[index]?.push({ ...message, channelId: range.channelId });
        }
      });
      await Promise.all(perSchema);
      return read;
    },
  };
}

/**
 * The ranges of one channel, with their floor.
 *
 * | kind   | begins after       | ends                                                                |
 * | ------ | ------------------ | ------------------------------------------------------------------- |
 * | head   | the newest block   | before the position, or after the latest message if that is earlier |
 * | block  | the previous block | with its last message                                               |
 *
 * Changes that a signature may lack are ranges too, unless the head contains them. The rows of a kind that reached a limit are
 * complete down to the lowest one. The floor is the highest of these.
 */
function toRanges(
  rows: readonly FoundRow[],
  changes: readonly Extent[],
  { schema, before, rangeCount }: { schema: Db; before: Position; rangeCount: number },
): Ranges<ChannelRange> {
  const head = rows.find(({ kind }) => kind === "head");
  if (head === undefined) return { ranges: [], floor: undefined };
  const { channelPk, channelId } = head;
  const latest = { createdAt: head.latestAt + 1, pk: 0 };
  const earlier = (one: Position, other: Position) => (isNewer(other, one) ? one : other);
  const toRange = (row: Omit<Extent, "channelPk">, size: number) => ({
    schema,
    group: channelPk,
    channelPk,
    channelId,
    from: fromOf(row),
    before: earlier(positionAfter(toOf(row)), earlier(before, latest)),
    size,
  });
  const ranges = [
    ...rows.filter(({ matches }) => matches).map((row) => toRange(row, messagesPerBlock)),
    ...changes.filter((change) => isNewer(fromOf(head), fromOf(change))).map((change) => toRange(change, 1)),
  ];
  const floors = [...Map.groupBy(rows, ({ kind }) => kind).values()].flatMap((ofKind) => {
    const lowest = ofKind.map(fromOf).sort(positionsDescending).at(-1) ?? oldest;
    const isCut = ofKind.length === rangeCount || ofKind.some(({ isLast }) => isLast);
    return isCut && isNewer(lowest, oldest) ? lowest : [];
  });
  return { ranges, floor: floors.sort(positionsDescending)[0] };
}

/**
 * The messages with their senders, in the given order: as many as a page can have, and one more. Messages that have been deleted are
 * omitted, and those of channels that the user as whom the request acts has left.
 */
export async function readFound(
  db: Database,
  found: readonly Candidate[],
  acting: ActingUser | undefined,
): Promise<{ candidate: Candidate; row: MessageRow }[]> {
  const byKey = new Map<number, MessageRow>();
  const values = [...columnsOf(found, "channelPk", "createdAt", "pk"), acting?.userPk ?? null];
  if (found.length > 0)
    for (const schema of db.schemas())
      for (const row of await schema.query(byKeys, values)) byKey.set(row.messagePk, row);
  return found.flatMap((candidate) => {
    const row = byKey.get(candidate.pk);
    return row === undefined ? [] : [{ candidate, row }];
  });
}

interface FoundRow extends Extent {
  readonly channelId: string;
  readonly latestAt: number;
  /** `head`: the messages between the newest block and the position. Its `to` is after all. */
  readonly kind: "head" | "block";
  /** False in a row that is returned only because it is the last one that was compared. */
  readonly matches: boolean;
  /** The row has reached the limit of blocks. */
  readonly isLast: boolean;
}

/** Null, so no match, for an empty signature: texts without a character that is searched, such as spaces, have no grams. */
const contains = Array.from(
  { length: probeCount },
  (_, index) =>
    `get_bit(signature, ($4::bigint[])[${index + 1}] % NULLIF(8 * octet_length(signature), 0)) = 1`,
).join(" AND ");

const columns = `range.*, c.pk AS "channelPk", c.channel_id AS "channelId", c.latest_at AS "latestAt"`;

/**
 * $1: the channel or user, $2 and $3: the position, $4: the probes, $5: the version of signatures, $6: the maximum of blocks to
 * compare, $7: the maximum of ranges of each kind to return, both for each channel. A block ends at its key and begins after the
 * previous block. PostgreSQL compares the signatures while it reads the index backwards, and stops at the limits.
 */
const defineFind = (name: string, channels: string): Statement<FoundRow> => ({
  name,
  text: `SELECT ${columns} FROM ${channels} CROSS JOIN LATERAL (
      (SELECT 'head' AS kind, COALESCE(newest.last_created_at, 0) AS "fromAt", COALESCE(newest.last_pk, 0) AS "fromPk",
        ${Number.MAX_SAFE_INTEGER} AS "toAt", 0::bigint AS "toPk", true AS matches, false AS "isLast"
      FROM (SELECT) AS one LEFT JOIN LATERAL (
        SELECT last_created_at, last_pk FROM search_blocks
        WHERE channel_pk = c.pk AND (last_created_at, last_pk) < ($2::bigint, $3::bigint)
        ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS newest ON true)
      UNION ALL
      (SELECT 'block', COALESCE(previous.last_created_at, 0), COALESCE(previous.last_pk, 0), block.last_created_at,
        block.last_pk, matches, number = $6
      FROM (
        SELECT * FROM (
          SELECT last_created_at, last_pk, row_number() OVER (ORDER BY last_created_at DESC, last_pk DESC) AS number,
            signature IS NULL OR version <> $5 OR (${contains}) AS matches
          FROM search_blocks WHERE channel_pk = c.pk AND (last_created_at, last_pk) < ($2::bigint, $3::bigint)
          ORDER BY last_created_at DESC, last_pk DESC LIMIT $6) AS seen
        WHERE matches OR number = $6 LIMIT $7) AS block
      LEFT JOIN LATERAL (
        SELECT last_created_at, last_pk FROM search_blocks
        WHERE channel_pk = c.pk AND (last_created_at, last_pk) < (block.last_created_at, block.last_pk)
        ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS previous ON true)
    ) AS range`,
});

const ofChannel = defineFind("search.find-in-channel", "(SELECT * FROM channels WHERE pk = $1) AS c");

const ofUser = defineFind(
  "search.find-in-channels-of-user",
  `(SELECT c.* FROM members e JOIN channels c ON c.pk = e.channel_pk AND c.deleted_at IS NULL
      WHERE e.user_pk = $1) AS c`,
);

/**
 * The text of a message that is searched and indexed: its names of files too, in lines, which no term spans. Empty while it is being
 * written.
 */
export const searchedText = `CASE WHEN attachments IS NULL OR state = 'streaming' THEN COALESCE(content, file->>'name')
      ELSE concat_ws(E'\n', content, (
        SELECT string_agg(attached->>'name', E'\n') FROM jsonb_array_elements(attachments) AS attached)) END`;

/** The same of a row. */
export const searchedTextOf = ({ content, file, extras }: MessageRow): string =>
  extras?.state === "streaming"
    ? ""
    : [content ?? file?.name ?? "", ...(extras?.attachments ?? []).map(({ name }) => name)].join("\n");

const candidate = `created_at AS "createdAt", pk, channel_pk AS "channelPk"`;

/** The newest of some candidates, up to a number of bytes of text. */
const cutAfter = (maxBytes: string, candidates: string) => `(
      SELECT "createdAt", pk, "channelPk", text, bytes >= ${maxBytes}::bigint AS "isCut" FROM (
        SELECT *, COALESCE(sum(octet_length(text)) OVER (
          ORDER BY "createdAt" DESC, pk DESC ROWS UNBOUNDED PRECEDING), 0) AS bytes FROM (${candidates}) AS every) AS measured
      WHERE bytes - COALESCE(octet_length(text), 0) < ${maxBytes}::bigint)`;

/** The sender is compared after the LIMIT, so that the LIMIT bounds the number of rows that are read. */
const readRanges: Statement<Candidate & { readonly number: number }> = {
  name: "search.read-ranges",
  text: `SELECT found.*, number FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      WITH ORDINALITY AS range (of_channel, from_at, from_pk, before_at, before_pk, number)
    CROSS JOIN LATERAL ${cutAfter(
      "$8",
      `SELECT ${candidate}, CASE WHEN $6::bigint IS NULL OR sender_pk = $6 THEN ${searchedText} END AS text FROM messages
      WHERE channel_pk = of_channel AND (created_at, pk) > (from_at, from_pk) AND (created_at, pk) < (before_at, before_pk)
      ORDER BY created_at DESC, pk DESC LIMIT $7`,
    )} AS found`,
};

/**
 * The text is null if the channel is deleted. This is checked after the LIMIT, so that the LIMIT bounds
 * the number of rows that are read.
 */
const defineRead = (
  name: string,
  condition: string,
  [limit, maxBytes]: readonly [string, string],
): Statement<Candidate> => ({
  name,
  text: `SELECT found."createdAt", found.pk, found."channelPk", COALESCE(c.channel_id, '') AS "channelId", found."isCut",
      CASE WHEN c.pk IS NOT NULL THEN found.text END AS text
    FROM ${cutAfter(
      maxBytes,
      `SELECT ${candidate}, ${searchedText} AS text FROM messages WHERE ${condition}
      ORDER BY created_at DESC, pk DESC LIMIT ${limit}`,
    )} AS found
    LEFT JOIN channels c ON c.pk = found."channelPk" AND c.deleted_at IS NULL
    ORDER BY found."createdAt" DESC, found.pk DESC`,
});

const readAll = defineRead("search.all", "(created_at, pk) < ($1::bigint, $2::bigint)", ["$3", "$4"]);

const readSender = defineRead(
  "search.sender",
  "sender_pk = $1 AND (created_at, pk) > ($2::bigint, $3::bigint) AND (created_at, pk) < ($4::bigint, $5::bigint)",
  ["$6", "$7"],
);

const byKeys: Statement<MessageRow> = {
  name: "search.by-keys",
  text: selectMessages(
    `${readPage(
      `SELECT m.*, number FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
        WITH ORDINALITY AS hit (of_channel, at, key, number)
      JOIN messages m ON m.channel_pk = of_channel AND m.created_at = at AND m.pk = key AND ${existsFor("of_channel", "$4")}`,
      "number",
      messageSize,
    )} AS of_page`,
  ),
};
