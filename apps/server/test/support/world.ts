import { operations } from "@madang/contract";
import {
  type Interaction,
  listHistory,
  type NewChannel,
  type World,
  worldTime,
} from "@madang/contract-tests";
import type { Db, Statement } from "../../src/db/db";
import { call } from "./call";
import { formatQuery } from "./query";

/** A server whose clock the tests hold. */
export interface Stage {
  readonly url: string;
  readonly db: Db;
  readonly clock: { now: number };
}

/** What exists only after a world was put into place. */
export interface Found {
  readonly subKeys: readonly string[];
  readonly deletedSubKey: string | undefined;
  readonly next: string | undefined;
}

/** Empties the database and puts a world into it: by the public operations, at the times that the world names. */
export async function putIntoPlace({ url, db, clock }: Stage, { given = {} }: Interaction): Promise<Found> {
  const at: CallAt = async (time, method, path, body) => {
    clock.now = time;
    const answer = await call(url, method, path, { body });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} was answered with ${JSON.stringify(answer)}`);
    return answer.body;
  };
  await empty(db);
  for (const { at: time = worldTime, ...user } of given.users ?? [])
    await at(time, "POST", "/v1/users", user);
  for (const channel of given.channels ?? []) await putChannel(at, channel);
  for (const { at: time = worldTime, channel_id, ...message } of given.messages ?? []) {
    const type = message.file === undefined ? "text" : "file";
    await at(time, "POST", `/v1/group/channels/${channel_id}/messages`, { type, ...message });
  }
  if (given.history !== undefined) await putHistory(db, given.history);
  for (const { channel_id } of (given.channels ?? []).filter(({ frozen }) => frozen)) {
    // Frozen last: until then everybody may send. At the time of its creation, so that it shows no later change.
    await at(worldTime, "PUT", `/v1/group/channels/${channel_id}/freeze`, { freeze: true });
    await db.query(forgetChange, [channel_id]);
  }
  for (const id of given.deletedUsers ?? []) await at(worldTime, "DELETE", `/v1/users/${id}`);
  for (const id of given.deletedChannels ?? []) await at(worldTime, "DELETE", `/v1/group/channels/${id}`);
  const subKeys: string[] = [];
  for (let count = 0; count < (given.subKeys ?? 0); count++) subKeys.push(await makeSubKey(at));
  const deletedSubKey = given.hadSubKey ? await makeSubKey(at) : undefined;
  if (deletedSubKey !== undefined)
    await at(worldTime, "DELETE", "/v1/applications/keys", { key: deletedSubKey });
  return { subKeys, deletedSubKey, next: given.page && (await findNext(at, given.page)) };
}

/** Does what must succeed, at a time. */
type CallAt = (time: number, method: string, path: string, body?: unknown) => Promise<unknown>;

async function putChannel(at: CallAt, channel: NewChannel): Promise<void> {
  const { at: time = worldTime, channel_id, name, profile_url, meta } = channel;
  const path = `/v1/group/channels/${channel_id}`;
  const { members = [], managers = [], formerMembers = [], formerManagers = [] } = channel;
  await at(time, "POST", "/v1/group/channels", { channel_id, name, profile_url, meta, members: [] });
  for (const member of [...new Set([...formerMembers, ...members])])
    await at(time + Math.max(0, members.indexOf(member)), "PUT", `${path}/join`, { member });
  for (const member of formerMembers) {
    await at(time, "PUT", `${path}/leave`, { member });
    if (members.includes(member)) await at(time + members.indexOf(member), "PUT", `${path}/join`, { member });
  }
  for (const manager of formerManagers) {
    await at(time, "POST", `${path}/managers`, { manager });
    await at(time, "DELETE", `${path}/managers`, { manager });
  }
  for (const [index, manager] of managers.entries())
    await at(time + index, "POST", `${path}/managers`, { manager });
}

async function makeSubKey(at: CallAt): Promise<string> {
  const made = await at(worldTime, "POST", "/v1/applications/keys");
  return String(Object(made).key);
}

async function findNext(at: CallAt, page: NonNullable<World["page"]>): Promise<string> {
  const route = operations.find(({ id }) => id === page.operation)?.route;
  const path = route?.path.replace(/:(\w+)/g, (_, name: string) => page.params?.[name] ?? "");
  const answer = await at(worldTime, "GET", `${path}${formatQuery(page.query)}`);
  return String(Object(answer).next);
}

async function empty(db: Db): Promise<void> {
  for (const table of ["messages", "channels", "users", "sub_keys"])
    await db.query({ name: `test.empty-${table}`, text: `DELETE FROM ${table}` });
}

/** A thousand messages are stored at once: one by one they would take longer than all interactions together. */
async function putHistory(db: Db, history: NonNullable<World["history"]>): Promise<void> {
  const messages = listHistory(history).reverse();
  const times = messages.map(({ at }) => at);
  await db.query(store, [history.channel_id, history.user_id, messages.map(({ content }) => content), times]);
}

const store: Statement<unknown> = {
  name: "test.store-history",
  text: `INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content)
    SELECT channels.pk, users.pk, sent_at, sent_at, 'text', content
    FROM channels, users, unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS message (content, sent_at, place)
    WHERE channel_id = $1 AND user_id = $2 ORDER BY place`,
};

const forgetChange: Statement<unknown> = {
  name: "test.forget-change",
  text: "UPDATE channels SET updated_at = created_at WHERE channel_id = $1",
};
