import { loadavg } from "node:os";
import type pg from "pg";
import { compareLoads } from "./compare-loads";
import { historyChannel, inboxUser } from "./dataset";
import { type Findings, print } from "./findings";
import { findOperation } from "./operations/all";
import type { Operation } from "./operations/operation";
import { lineOf, notesOn, tableOf } from "./report";
import type { Row } from "./row";
import { createTarget, type Run, type Target } from "./target";
import { createTestbed } from "./testbed";

/** A channel in which every third message has a reply, mentions and reactions. */
const richChannel = "replies_room";
const messagesInRich = 3_000;
/** So many in the history, and in the channels of the inbox. */
const messages = 200_000;

/** The processor time of screens, sends and inboxes, compared with a build without replies, mentions and reactions. */
export async function measureReplies({ options, settings, resources }: Run): Promise<Findings> {
  const { against } = options;
  if (against === undefined)
    throw new Error("--replies needs --against, the dist/main.js of a build before.");
  const sized = { ...settings, sizes: { ...settings.sizes, messages } };
  // An older build does not run on a database of a newer one, so each has its own.
  const start = async (build?: string): Promise<Target> => {
    const testbed = await createTestbed(resources, sized.sizes, undefined, build);
    // Autovacuum would affect only one side.
    await testbed.database.query("ALTER SYSTEM SET autovacuum = off");
    await testbed.database.query("SELECT pg_reload_conf()");
    return createTarget(testbed, await testbed.startServer(), sized);
  };
  const [subject, before] = [await start(), await start(against)];
  await addReplies(subject.testbed.database);
  const [plain, rich] = [screenOf(historyChannel), screenOf(richChannel)];
  const inbox = findOperation("users.channels");
  const startLoad = loadavg()[0] ?? Number.NaN;
  const rows: Row[] = [];
  const compare = async (title: string, operation: Operation, baseline: Operation, max?: number) => {
    const row = await compareLoads(
      { target: subject, operation },
      { target: before, operation: baseline },
      { title, target: max && 1 / max },
    );
    rows.push(row);
    print(lineOf(row));
  };
  await compare("screen of 30, a third with replies, mentions and reactions", rich, plain, 1.3);
  await compare("screen of 30 without any", plain, plain, 1.05);
  await compare("inbox with mentions", inbox, inbox, 1.2);
  for (const id of ["messages.send", "messages.sendOne"]) {
    const operation = findOperation(id);
    await compare(operation.title, operation, operation);
  }
  const load = `The load of the machine was ${startLoad.toFixed(1)} before the first row.`;
  return { tables: [tableOf(rows)], notes: [...notesOn(rows), load], data: { startLoad, rows } };
}

const screenOf = (channelId: string): Operation => ({
  id: `screen.${channelId}`,
  title: `screen of ${channelId}`,
  turn: () => [{ method: "GET", path: `/v1/group/channels/${channelId}/messages?limit=30` }],
});

/** Copies the end of the history, and adds what its third messages have; mentions every tenth message of the inbox. */
async function addReplies(database: pg.Client): Promise<void> {
  await database.query("SET session_replication_role = replica");
  for (const [text, values] of [
    [copyHistory, [historyChannel, richChannel, messagesInRich]],
    [addLinks, [richChannel]],
    [addReactions, [richChannel]],
    [addMentions, [inboxUser]],
  ] as const)
    await database.query(text, [...values]);
  await database.query("RESET session_replication_role");
  await database.query("VACUUM ANALYZE");
}

const copyHistory = `WITH room AS (
    INSERT INTO channels (channel_id, name, member_count, is_pair_only, total_message_count, latest_at, last_message_at,
      created_at, updated_at)
    SELECT $2, name, member_count, false, $3, latest_at, last_message_at, created_at, updated_at FROM channels
    WHERE channel_id = $1 RETURNING pk
  ), joined AS (
    INSERT INTO members (channel_pk, user_pk, joined_at) SELECT room.pk, user_pk, joined_at
    FROM room, members m JOIN channels c ON c.pk = m.channel_pk WHERE c.channel_id = $1
  )
  INSERT INTO messages (channel_pk, created_at, sender_pk, type, content, file, meta, updated_at)
  SELECT * FROM (
    SELECT room.pk, m.created_at, sender_pk, type, content, file, m.meta, m.updated_at
    FROM room, messages m JOIN channels c ON c.pk = m.channel_pk WHERE c.channel_id = $1
    ORDER BY m.created_at DESC LIMIT $3) AS newest
  ORDER BY created_at`;

// Every third message replies to the third one before it, mentions two users and has three reactions of six users.
const addLinks = `WITH numbered AS (
    SELECT m.*, row_number() OVER w AS i, lag(m.created_at, 3) OVER w AS parent_at, lag(m.pk, 3) OVER w AS parent_pk
    FROM messages m JOIN channels c ON c.pk = m.channel_pk WHERE c.channel_id = $1
    WINDOW w AS (ORDER BY m.created_at, m.pk)
  ), changed AS (
    UPDATE messages m SET reply_to_created_at = parent_at, reply_to_pk = parent_pk, reply_count = 1,
      mentions = '["user_0000001", "user_0000002"]', reactions = '[["👍", 3], ["🎉", 2], ["🙏", 1]]'
    FROM numbered n WHERE n.i % 3 = 0 AND m.channel_pk = n.channel_pk AND m.created_at = n.created_at AND m.pk = n.pk
    RETURNING m.channel_pk, m.created_at, m.pk
  )
  INSERT INTO mentions (channel_pk, message_created_at, message_pk, user_pk)
  SELECT channel_pk, changed.created_at, changed.pk, u.pk FROM changed, users u
  WHERE u.user_id IN ('user_0000001', 'user_0000002')`;

const addReactions = `INSERT INTO reactions (channel_pk, message_created_at, message_pk, reaction, user_pk, created_at)
  SELECT m.channel_pk, m.created_at, m.pk, reaction, u.pk, m.created_at + 1
  FROM messages m JOIN channels c ON c.pk = m.channel_pk
  CROSS JOIN (VALUES ('👍', 1, 3), ('🎉', 4, 5), ('🙏', 6, 6)) AS each (reaction, first, last)
  JOIN users u ON u.pk BETWEEN first AND last
  WHERE c.channel_id = $1 AND m.reactions IS NOT NULL`;

const addMentions = `WITH numbered AS (
    SELECT m.channel_pk, m.created_at, m.pk, e.user_pk, row_number() OVER (PARTITION BY m.channel_pk ORDER BY m.created_at DESC) AS i
    FROM users u JOIN members e ON e.user_pk = u.pk JOIN messages m ON m.channel_pk = e.channel_pk WHERE u.user_id = $1
  ), changed AS (
    UPDATE messages m SET mentions = jsonb_build_array($1::text) FROM numbered n
    WHERE n.i % 10 = 5 AND m.channel_pk = n.channel_pk AND m.created_at = n.created_at AND m.pk = n.pk
    RETURNING m.channel_pk, m.created_at, m.pk, n.user_pk
  )
  INSERT INTO mentions (channel_pk, message_created_at, message_pk, user_pk) SELECT * FROM changed`;
