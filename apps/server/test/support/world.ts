import { setTimeout as sleep } from "node:timers/promises";
import { limits, type OperationId } from "@madang/contract";
import {
  type History,
  listHistory,
  type NewBlock,
  type NewChannel,
  type NewErasure,
  type NewFile,
  type NewMessage,
  type NewReport,
  type NewUser,
  type NewWebhook,
  placeholders,
  type Request,
  type World,
  worldTime,
} from "@madang/contract-tests";
import { collectEvents } from "../../src/db/citus/collect-events";
import type { Database, Statement } from "../../src/db/db";
import { sweepExpiredEvents } from "../../src/modules/events/store";
import { countUsage } from "../../src/modules/usage/store";
import { send } from "./call";
import { finishErasures } from "./erasures";
import { indexAll } from "./index-all";
import { type LiveStream, openLiveStream } from "./live-stream";
import { masterKey } from "./server";

/** A server whose clock the test sets. */
export interface ClockedServer {
  readonly url: string;
  readonly db: Database;
  readonly clock: { now: number };
}

/** The values behind the placeholders: the server chose them when the world was created. */
export interface Created {
  readonly subKeys: readonly string[];
  readonly deletedSubKey?: string;
  readonly next?: string;
  readonly newer?: string;
  /** The ids of the messages, in the order of creation. */
  readonly messageIds?: readonly string[];
  /** The ids of the files, in the order of creation. */
  readonly fileIds?: readonly string[];
  /** The id of the first webhook. */
  readonly webhookId?: string;
  /** The id of the first filter. */
  readonly filterId?: string;
  /** The id of the first hook. */
  readonly hookId?: string;
  /** The id of the first report. */
  readonly reportId?: string;
  /** The id of the first erasure. */
  readonly erasureId?: string;
}

/** Empties the database and creates a world through the public operations, at the times of the world. */
export async function createWorld({ url, db, clock }: ClockedServer, world: World): Promise<Created> {
  const call: CallAt = async (time, operation, request = {}) => {
    clock.now = time;
    const headers = { authorization: `Bearer ${masterKey}` };
    const { status, body } = await send(url, operation, { ...request, headers });
    if (status >= 300) throw new Error(`${operation} failed with ${status}: ${JSON.stringify(body)}`);
    return Object(body);
  };
  // Through the service, which has them in memory.
  for (const params of await db.query(listFilters)) await call(worldTime, "filters.delete", { params });
  for (const params of await db.query(listHooks)) await call(worldTime, "hooks.delete", { params });
  for (const stream of streams.splice(0)) stream.close();
  await empty(db);
  await createUsers(call, db, world.users ?? []);
  for (const { at = worldTime, user_id, device_id, ...body } of world.devices ?? [])
    await call(at, "users.devices.register", { params: { user_id, device_id }, body });
  for (const channel of world.channels ?? []) await createChannel(call, channel);
  const fileIds: string[] = [];
  for (const file of world.files ?? []) fileIds.push(await createFile(call, file));
  const messageIds: string[] = [];
  for (const message of world.messages ?? [])
    messageIds.push(await storeMessage(call, fillIds(message, { messageIds, fileIds })));
  if (world.history !== undefined) messageIds.push(...(await storeHistory(db, world.history)));
  for (const [index, { message = 1, reaction, user_id }] of (world.reactions ?? []).entries()) {
    const channel_id = world.messages?.[message - 1]?.channel_id ?? "";
    const params = { channel_id, message_id: messageIds[message - 1] ?? "", reaction, user_id };
    await call(worldTime + index, "messages.reactions.add", { params });
  }
  for (const [index, number] of (world.pins ?? []).entries()) {
    const channel_id = world.messages?.[number - 1]?.channel_id ?? world.history?.channel_id ?? "";
    const params = { channel_id, message_id: messageIds[number - 1] ?? "" };
    await call(worldTime + index, "messages.pin", { params });
  }
  for (const number of world.deletedMessages ?? []) {
    const channel_id = world.messages?.[number - 1]?.channel_id ?? world.history?.channel_id ?? "";
    const message_id = messageIds[number - 1] ?? "";
    await call(worldTime, "messages.delete", { params: { channel_id, message_id } });
  }
  for (const { message, ...params } of world.readMarks ?? [])
    await call(worldTime, "channels.members.markRead", {
      params,
      body: { message_id: messageIds[message - 1] },
    });
  for (const { channel_id } of (world.channels ?? []).filter(({ frozen }) => frozen)) {
    // After the messages, because participants cannot send to a frozen channel.
    await call(worldTime, "channels.freeze", { params: { channel_id }, body: { freeze: true } });
    await db.channel(channel_id).query(resetUpdatedAt, [channel_id]);
  }
  for (const { channel_id, retention: body } of (world.channels ?? []).filter(({ retention }) => retention)) {
    await call(worldTime, "channels.setRetention", { params: { channel_id }, body });
    await db.channel(channel_id).query(resetUpdatedAt, [channel_id]);
  }
  for (const { channel_id, user_id, ...body } of world.mutes ?? [])
    await call(worldTime, "channels.members.mute", { params: { channel_id, user_id }, body });
  for (const { channel_id, user_id, at = worldTime, ...body } of world.bans ?? [])
    await call(at, "channels.bans.add", { params: { channel_id, user_id }, body });
  await storeBlocks(db, world.blocks ?? []);
  for (const { at = worldTime, channel_id, user_id, ...body } of world.preferences ?? [])
    await call(at, "channels.members.setPreferences", { params: { channel_id, user_id }, body });
  for (const { channel_id, user_id } of world.left ?? [])
    await call(worldTime, "channels.members.leave", { params: { channel_id }, body: { member: user_id } });
  for (const user_id of world.suspendedUsers ?? []) {
    await call(worldTime, "users.suspend", { params: { user_id } });
    await db.query(resetUserUpdatedAt, [user_id]);
  }
  for (const user_id of world.online ?? []) await bringOnline(call, url, user_id);
  for (const { user_id, at } of world.lastSeen ?? []) await db.query(storeLastSeen, [user_id, at]);
  const reportIds: string[] = [];
  for (const report of world.reports ?? [])
    reportIds.push(await createReport(call, fillIds(report, { messageIds })));
  const [reportId] = reportIds;
  for (const user_id of world.deletedUsers ?? [])
    await call(worldTime, "users.delete", { params: { user_id } });
  for (const channel_id of world.deletedChannels ?? [])
    await call(worldTime, "channels.delete", { params: { channel_id } });
  const erasureIds: string[] = [];
  for (const [index, erasure] of (world.erasures ?? []).entries())
    erasureIds.push(await createErasure(call, db, erasure, worldTime + index * 1_000));
  const [erasureId] = erasureIds;
  const subKeys: string[] = [];
  for (let count = 0; count < (world.subKeys ?? 0); count++)
    subKeys.push(
      (await call(worldTime, "keys.create", world.scopes && { body: { scopes: world.scopes } })).key,
    );
  const filterIds: string[] = [];
  for (const body of world.filters ?? [])
    filterIds.push((await call(worldTime, "filters.create", { body })).filter_id);
  const [filterId] = filterIds;
  const hookIds: string[] = [];
  for (const body of world.hooks ?? [])
    hookIds.push((await call(worldTime, "hooks.create", { body })).hook_id);
  const [hookId] = hookIds;
  const webhookIds: string[] = [];
  for (const webhook of world.webhooks ?? []) webhookIds.push(await createWebhook(call, webhook));
  const [webhookId] = webhookIds;
  const { deletedSubKey, page, expiredEvents } = world;
  const cursors = page && (await readCursors(call, page, { messageIds, webhookId }));
  if (expiredEvents) {
    for (const user_id of ["late_1", "late_2"]) {
      await call(worldTime, "users.create", { body: { user_id, name: "Late" } });
      // It numbers them.
      await call(worldTime, "events.list");
    }
    await removeEvents(db);
  }
  return {
    ...(webhookId && { webhookId }),
    ...(reportId && { reportId }),
    ...(filterId && { filterId }),
    ...(hookId && { hookId }),
    ...(erasureId && { erasureId }),
    subKeys,
    ...(deletedSubKey && { deletedSubKey: await createDeletedKey(call) }),
    messageIds,
    fileIds,
    ...cursors,
  };
}

/** Calls an operation that must succeed, at a time, and returns the body of the response. */
type CallAt = (time: number, operation: OperationId, request?: Request) => ReturnType<typeof Object>;

/** Many users are stored with few requests. */
async function createUsers(call: CallAt, db: Database, users: readonly NewUser[]): Promise<void> {
  const { max } = limits.usersPerUpsert;
  if (users.length < 30) {
    for (const { at = worldTime, ...body } of users) await call(at, "users.create", { body });
    return;
  }
  for (let index = 0; index < users.length; index += max) {
    const some = users.slice(index, index + max);
    await call(worldTime, "users.upsertMany", { body: { users: some.map(({ at, ...user }) => user) } });
  }
  await db.query(setCreatedAt, [users.map(({ user_id }) => user_id), users.map(({ at = worldTime }) => at)]);
}

async function createChannel(call: CallAt, channel: NewChannel): Promise<void> {
  const { at = worldTime, channel_id, name, profile_url, meta } = channel;
  const { members = [], managers = [], formerMembers = [], formerManagers = [], slowModeSeconds } = channel;
  const params = { channel_id };
  // The first member joins at the time of the channel.
  const first = formerMembers.length > 0 ? [] : members.slice(0, 1);
  await call(at, "channels.create", { body: { channel_id, name, profile_url, meta, members: first } });
  for (const member of formerMembers) {
    await call(at, "channels.members.join", { params, body: { member } });
    await call(at, "channels.members.leave", { params, body: { member } });
  }
  for (const [index, member] of members.entries())
    if (index >= first.length) await call(at + index, "channels.members.join", { params, body: { member } });
  for (const manager of formerManagers) {
    await call(at, "channels.managers.add", { params, body: { manager } });
    await call(at, "channels.managers.remove", { params, body: { manager } });
  }
  for (const [index, manager] of managers.entries())
    await call(at + index, "channels.managers.add", { params, body: { manager } });
  if (slowModeSeconds !== undefined)
    await call(at, "channels.setSlowMode", { params, body: { seconds: slowModeSeconds } });
}

/** Returns the id of the message. */
async function storeMessage(call: CallAt, message: NewMessage): Promise<string> {
  const { at = worldTime, channel_id, appends, finish, ...fields } = message;
  const type = fields.user_id === undefined ? "system" : fields.file === undefined ? "text" : "file";
  const body = { type, ...fields, ...(appends && { streaming: true }) };
  const params = { channel_id };
  if (appends !== undefined) {
    const { message_id } = await call(at, "messages.send", { params, body });
    const ofMessage = { ...params, message_id };
    for (const [index, content] of appends.entries())
      await call(at, "messages.append", { params: ofMessage, body: { index, content } });
    if (finish !== undefined) await call(at, "messages.finish", { params: ofMessage, body: finish });
    return message_id;
  }
  if (fields.external_id === undefined) return (await call(at, "messages.send", { params, body })).message_id;
  await call(at, "imports.messages", { params, body: { messages: [{ ...body, created_at: at }] } });
  const { messages } = await call(at, "messages.list", { params });
  return messages.find((one: typeof fields) => one.external_id === fields.external_id).message_id;
}

async function readCursors(
  call: CallAt,
  { operation, ...request }: NonNullable<World["page"]>,
  ids: Ids,
): Promise<Pick<Created, "next" | "newer">> {
  const { next, newer } = await call(worldTime, operation, fillIds(request, ids));
  return { next, newer };
}

type Ids = {
  readonly [Name in
    | "messageIds"
    | "fileIds"
    | "webhookId"
    | "filterId"
    | "hookId"
    | "reportId"
    | "erasureId"]?: Created[Name] | undefined;
};

/** The real ids in place of their placeholders, wherever they occur. */
export function fillIds<Node>(
  node: Node,
  {
    messageIds = [],
    fileIds = [],
    webhookId = placeholders.webhook,
    filterId = placeholders.filter,
    hookId = placeholders.hook,
    reportId = placeholders.report,
    erasureId = placeholders.erasure,
  }: Ids,
): Node {
  const ids = new Map(messageIds.map((id, index) => [placeholders.message(index + 1), id]));
  for (const [index, id] of fileIds.entries()) ids.set(placeholders.file(index + 1), id);
  ids.set(placeholders.webhook, webhookId);
  ids.set(placeholders.report, reportId);
  ids.set(placeholders.filter, filterId);
  ids.set(placeholders.hook, hookId);
  ids.set(placeholders.erasure, erasureId);
  const fill = (value: unknown): unknown => {
    // A query has lists of ids.
    if (typeof value === "string")
      return value
        .split(",")
        .map((id) => ids.get(id) ?? id)
        .join();
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field)]));
  };
  // Only strings are replaced, and by strings.
  return fill(node) as Node;
}

/** Of the users of the last world who are online. */
const streams: LiveStream[] = [];

async function bringOnline(call: CallAt, url: string, user_id: string): Promise<void> {
  const { token } = await call(worldTime, "users.createToken", { params: { user_id } });
  streams.push(await openLiveStream(url, "after=latest", undefined, token));
  const query = { user_ids: user_id };
  while ((await call(worldTime, "presence.list", { query })).presence[0].status !== "online") await sleep(10);
}

async function createFile(call: CallAt, { waiting, ...body }: NewFile): Promise<string> {
  const { file_id, upload } = await call(worldTime, "files.create", { body });
  if (waiting) return file_id;
  const bytes = Buffer.alloc(body.size, "f");
  const { ok } = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
  if (!ok) throw new Error("The upload failed.");
  return file_id;
}

async function createWebhook(
  call: CallAt,
  { enabled = true, pings = 0, ...body }: NewWebhook,
): Promise<string> {
  const { webhook_id } = await call(worldTime, "webhooks.create", { body });
  const params = { webhook_id };
  for (let count = 0; count < pings; count++) await call(worldTime, "webhooks.ping", { params });
  if (!enabled) await call(worldTime, "webhooks.update", { params, body: { enabled } });
  return webhook_id;
}

async function createReport(
  call: CallAt,
  { at = worldTime, resolution, ...body }: NewReport,
): Promise<string> {
  const { report_id } = await call(at, "reports.create", { body });
  if (resolution !== undefined)
    await call(at, "reports.resolve", { params: { report_id }, body: { status: "resolved", resolution } });
  return report_id;
}

async function createErasure(
  call: CallAt,
  db: Database,
  { running, ...body }: NewErasure,
  time: number,
): Promise<string> {
  const { erasure_id } = await call(time, "privacy.erase", { body });
  if (running === undefined) await finishErasures(db, () => time);
  return erasure_id;
}

async function createDeletedKey(call: CallAt): Promise<string> {
  const { key } = await call(worldTime, "keys.create");
  await call(worldTime, "keys.delete", { body: { key } });
  return key;
}

/** Those of the newest range stay. A negative retention makes all others old, once they are counted. */
async function removeEvents(db: Database): Promise<void> {
  while ((await countUsage(db)) === true);
  await indexAll(db);
  while (await sweepExpiredEvents(db, -60_000));
}

/** The positions of events continue. */
async function empty(db: Database): Promise<void> {
  await collectEvents(db, { waitsForLock: true });
  for (const schema of db.schemas()) await schema.query(emptyChannels);
  await db.query(emptyOthers);
}

const defineDeletion = (name: string, tables: readonly string[], also = "SELECT"): Statement<unknown> => ({
  name,
  text: `WITH ${tables.map((table) => `of_${table} AS (DELETE FROM ${table})`).join(", ")} ${also}`,
});
const emptyChannels = defineDeletion("test.empty-channels", [
  ...["audit_entries", "events", "files", "messages", "channels"],
]);
const emptyOthers = defineDeletion(
  "test.empty-others",
  [
    ...["audit_entries", "events", "devices", "blocks", "last_seen_times", "users"],
    ...["sub_keys", "webhooks", "reports", "usage_days", "erasures", "erased_users", "erasure_channels"],
  ],
  "DELETE FROM event_ranges WHERE after_position < (SELECT max(after_position) FROM event_ranges)",
);

/** One statement for all messages: a thousand requests would take longer than all other interactions. */
async function storeHistory(db: Database, history: History): Promise<string[]> {
  const messages = listHistory(history).reverse();
  const times = messages.map(({ at }) => at);
  const part = db.channel(history.channel_id);
  const stored = await part.query(insert, [
    history.channel_id,
    history.user_id,
    messages.map(({ content }) => content),
    times,
  ]);
  await part.query(setLastMessageAt, [history.channel_id]);
  return stored.map(({ id }) => id);
}

/** One statement for all blocks: there may be a thousand. */
async function storeBlocks(db: Database, blocks: readonly NewBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  await db.query(insertBlocks, [
    blocks.map(({ user_id }) => user_id),
    blocks.map(({ blocked_user_id }) => blocked_user_id),
    blocks.map(({ at = worldTime }) => at),
  ]);
}

const setCreatedAt: Statement<unknown> = {
  name: "test.set-created-at",
  text: `UPDATE users u SET created_at = at, updated_at = at
    FROM unnest($1::text[], $2::bigint[]) AS given (user_id, at) WHERE u.user_id = given.user_id RETURNING 1`,
};

const insertBlocks: Statement<unknown> = {
  name: "test.store-blocks",
  text: `INSERT INTO blocks (user_pk, blocked_pk, created_at)
    SELECT u.pk, blocked.pk, at FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (user_id, blocked_user_id, at)
    JOIN users u ON u.user_id = given.user_id JOIN users blocked ON blocked.user_id = given.blocked_user_id RETURNING 1`,
};

const insert: Statement<{ readonly id: string }> = {
  name: "test.store-history",
  text: `INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content)
    SELECT c.pk, u.pk, sent_at, sent_at, 'text', content
    FROM channels c, users u, unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS message (content, sent_at, row_index)
    WHERE channel_id = $1 AND user_id = $2 ORDER BY row_index RETURNING created_at || '-' || pk AS id`,
};

const setLastMessageAt: Statement<unknown> = {
  name: "test.set-last-message-at",
  text: `UPDATE channels c SET (total_message_count, latest_at, last_message_at) =
      (SELECT count(*), max(created_at), max(created_at) FROM messages WHERE channel_pk = c.pk)
    WHERE channel_id = $1 AND EXISTS (SELECT FROM messages WHERE channel_pk = c.pk) RETURNING pk`,
};

const listFilters: Statement<{ filter_id: string }> = {
  name: "test.list-filters",
  text: "SELECT filter_id FROM filters",
};

const storeLastSeen: Statement<unknown> = {
  name: "test.store-last-seen",
  text: "INSERT INTO last_seen_times (user_pk, last_seen_at) SELECT pk, $2 FROM users WHERE user_id = $1 RETURNING 1",
};

const listHooks: Statement<{ hook_id: string }> = {
  name: "test.list-hooks",
  text: "SELECT hook_id FROM hooks",
};

/** A suspended user of a world has not changed since its creation. */
const resetUserUpdatedAt: Statement<unknown> = {
  name: "test.reset-user-updated-at",
  text: "UPDATE users SET updated_at = created_at WHERE user_id = $1 RETURNING pk",
};

/** A frozen or held channel of a world has not changed since its creation. */
const resetUpdatedAt: Statement<unknown> = {
  name: "test.reset-updated-at",
  text: "UPDATE channels SET updated_at = created_at WHERE channel_id = $1 RETURNING pk",
};
