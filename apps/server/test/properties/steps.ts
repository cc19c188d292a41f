import { type ErrorCode, errors } from "@madang/contract";
import type { Reply } from "../support/call";
import type { Model, ModelResponse, UserToUpsert } from "./model";

/** A request, the response of the model, and the part of the body that is compared. */
export interface Step {
  readonly name: string;
  readonly expected: (model: Model) => ModelResponse;
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly select?: (body: Body) => unknown;
}

type Body = Reply["body"];

/**
 * Stands for the id of the n-th newest message of a channel, from 0. If the channel has no such message, it stands for an
 * id that no message has and that is older than all of them.
 */
const messageAt = (channel: string, index: number) => `{${channel} ${index}}`;
const placeholder = /\{(\w+) (\d+)\}/;

/** Replaces the placeholder of a message id. `listIds` returns the ids of a channel, newest first. */
export async function fillMessageId(
  request: Step["request"],
  listIds: (channel: string) => Promise<readonly string[]>,
): Promise<Step["request"]> {
  const text = JSON.stringify(request);
  const [match, channel = "", index] = placeholder.exec(text) ?? [];
  if (match === undefined) return request;
  const ids = await listIds(channel);
  return JSON.parse(text.replace(match, ids[Number(index)] ?? "0-1"));
}

/** Converts a response to that of the model. */
export function summarize({ select }: Step, { status, body }: Reply): ModelResponse {
  if (status >= 400) return { status, body: body.code };
  return select === undefined ? { status } : { status, body: select(body) };
}

const channels = "/v1/group/channels";
const userFields = ({ name, meta }: Body) => ({ name, meta });
const channelFields = ({ freeze, total_message_count: total }: Body) => ({ freeze, total });
const idsOf = (users: Body) => users.map(({ user_id }: Body) => user_id);

export const steps = {
  createUser: (user_id: string, name: string): Step => ({
    name: `create ${user_id}`,
    expected: (model) => model.createUser(user_id, name),
    request: ["POST", "/v1/users", { user_id, name }],
    select: userFields,
  }),
  updateUser: (id: string, name: string): Step => ({
    name: `rename ${id}`,
    expected: (model) => model.updateUser(id, name),
    request: ["PUT", `/v1/users/${id}`, { name }],
    select: userFields,
  }),
  getUser: (id: string): Step => ({
    name: `get ${id}`,
    expected: (model) => model.getUser(id),
    request: ["GET", `/v1/users/${id}`],
    select: userFields,
  }),
  deleteUser: (id: string): Step => ({
    name: `delete ${id}`,
    expected: (model) => model.deleteUser(id),
    request: ["DELETE", `/v1/users/${id}`],
  }),
  mergeMeta: (id: string, meta: Record<string, string>): Step => ({
    name: `merge ${JSON.stringify(meta)} into ${id}`,
    expected: (model) => model.mergeMeta(id, meta),
    request: ["PUT", `/v1/users/${id}/meta`, { meta }],
    select: userFields,
  }),
  deleteMeta: (id: string, keys: readonly string[]): Step => ({
    name: `delete ${keys} from ${id}`,
    expected: (model) => model.deleteMeta(id, keys),
    request: ["DELETE", `/v1/users/${id}/meta`, { keys }],
    select: userFields,
  }),
  upsertMany: (users: readonly UserToUpsert[]): Step => ({
    name: `upsert ${JSON.stringify(users)}`,
    expected: (model) => model.upsertMany(users),
    request: ["PUT", "/v1/users", { users }],
    select: ({ results }: { results: readonly { result?: string; code?: string }[] }) =>
      results.map(({ result, code }) => result ?? code),
  }),
  listUsers: (): Step => ({
    name: "list users",
    expected: (model) => model.listUsers(),
    request: ["GET", "/v1/users"],
    select: ({ users }) => idsOf(users),
  }),
  createChannel: (channel_id: string, members: readonly string[], reuse: boolean): Step => ({
    name: `create ${channel_id} of ${members}${reuse ? " with reuse" : ""}`,
    expected: (model) => model.createChannel(channel_id, members, reuse),
    request: ["POST", channels, { channel_id, name: channel_id, members, reuse }],
    select: ({ channel_id: id, members }) => ({ id, members: idsOf(members) }),
  }),
  getChannel: (id: string): Step => ({
    name: `get ${id}`,
    expected: (model) => model.getChannel(id),
    request: ["GET", `${channels}/${id}`],
    select: channelFields,
  }),
  freeze: (id: string, freeze: boolean): Step => ({
    name: `freeze ${id}: ${freeze}`,
    expected: (model) => model.freeze(id, freeze),
    request: ["PUT", `${channels}/${id}/freeze`, { freeze }],
    select: channelFields,
  }),
  deleteChannel: (id: string): Step => ({
    name: `delete ${id}`,
    expected: (model) => model.deleteChannel(id),
    request: ["DELETE", `${channels}/${id}`],
  }),
  join: (id: string, member: string): Step => ({
    name: `${member} joins ${id}`,
    expected: (model) => model.join(id, member),
    request: ["PUT", `${channels}/${id}/join`, { member }],
  }),
  addMany: (id: string, members: readonly string[]): Step => ({
    name: `add ${members} to ${id}`,
    expected: (model) => model.addMany(id, members),
    request: ["POST", `${channels}/${id}/members`, { members }],
    select: ({ joined, already_joined }) => ({ joined, already_joined }),
  }),
  leave: (id: string, member: string): Step => ({
    name: `${member} leaves ${id}`,
    expected: (model) => model.leave(id, member),
    request: ["PUT", `${channels}/${id}/leave`, { member }],
  }),
  addManager: (id: string, manager: string): Step => ({
    name: `add manager ${manager} to ${id}`,
    expected: (model) => model.addManager(id, manager),
    request: ["POST", `${channels}/${id}/managers`, { manager }],
  }),
  removeManager: (id: string, manager: string): Step => ({
    name: `remove manager ${manager} from ${id}`,
    expected: (model) => model.removeManager(id, manager),
    request: ["DELETE", `${channels}/${id}/managers`, { manager }],
  }),
  mute: (id: string, user: string): Step => ({
    name: `mute ${user} in ${id}`,
    expected: (model) => model.mute(id, user),
    request: ["PUT", `${channels}/${id}/members/${user}/mute`],
  }),
  unmute: (id: string, user: string): Step => ({
    name: `unmute ${user} in ${id}`,
    expected: (model) => model.unmute(id, user),
    request: ["DELETE", `${channels}/${id}/members/${user}/mute`],
  }),
  ban: (id: string, user: string): Step => ({
    name: `ban ${user} from ${id}`,
    expected: (model) => model.ban(id, user),
    request: ["PUT", `${channels}/${id}/bans/${user}`],
  }),
  unban: (id: string, user: string): Step => ({
    name: `remove the ban of ${user} from ${id}`,
    expected: (model) => model.unban(id, user),
    request: ["DELETE", `${channels}/${id}/bans/${user}`],
  }),
  suspend: (id: string): Step => ({
    name: `suspend ${id}`,
    expected: (model) => model.setSuspended(id, true),
    request: ["PUT", `/v1/users/${id}/suspension`],
  }),
  unsuspend: (id: string): Step => ({
    name: `end the suspension of ${id}`,
    expected: (model) => model.setSuspended(id, false),
    request: ["DELETE", `/v1/users/${id}/suspension`],
  }),
  list: (id: string, what: "members" | "managers"): Step => ({
    name: `list ${what} of ${id}`,
    expected: (model) => model.list(id, what),
    request: ["GET", `${channels}/${id}/${what}`],
    select: idsOf,
  }),
  send: (id: string, user_id: string, content: string): Step => ({
    name: `${user_id} sends ${content} to ${id}`,
    expected: (model) => model.send(id, user_id, content),
    request: ["POST", `${channels}/${id}/messages`, { user_id, type: "text", content }],
    select: ({ content }) => content,
  }),
  sendMany: (ids: readonly string[], user_id: string, content: string): Step => ({
    name: `${user_id} sends ${content} to ${ids}`,
    expected: (model) => model.sendMany(ids, user_id, content),
    request: ["POST", "/v1/messages", { channel_ids: ids, user_id, type: "text", content }],
    select: ({ results }: { results: readonly { message?: Body; code?: ErrorCode }[] }) =>
      results.map(({ message, code }) =>
        code === undefined
          ? { status: 201, body: message.content }
          : { status: errors[code].status, body: code },
      ),
  }),
  export: (id: string): Step => ({
    name: `export ${id}`,
    expected: (model) => model.export(id),
    request: ["GET", `/v1/exports/group/channels/${id}/messages`],
    select: ({ messages }) => messages.map(({ user, content }: Body) => [user.user_id, user.name, content]),
  }),
  edit: (id: string, index: number, content: string): Step => ({
    name: `edit message ${index} of ${id}: ${content}`,
    expected: (model) => model.edit(id, index, content),
    request: ["PUT", `${channels}/${id}/messages/${messageAt(id, index)}`, { content }],
    select: ({ content }) => content,
  }),
  deleteMessage: (id: string, index: number): Step => ({
    name: `delete message ${index} of ${id}`,
    expected: (model) => model.deleteMessage(id, index),
    request: ["DELETE", `${channels}/${id}/messages/${messageAt(id, index)}`],
  }),
  getMessage: (id: string, index: number): Step => ({
    name: `get message ${index} of ${id}`,
    expected: (model) => model.getMessage(id, index),
    request: ["GET", `${channels}/${id}/messages/${messageAt(id, index)}`],
    select: ({ content }) => content,
  }),
  listMessages: (id: string, index: number | undefined, size: number): Step => ({
    name: `list ${size} messages of ${id}${index === undefined ? "" : ` before message ${index}`}`,
    expected: (model) => model.listMessages(id, index, size),
    request: [
      "GET",
      `${channels}/${id}/messages?limit=${size}${index === undefined ? "" : `&before=${messageAt(id, index)}`}`,
    ],
    select: ({ messages, next }) => ({
      contents: messages.map(({ content }: Body) => content),
      more: next !== undefined,
    }),
  }),
  markRead: (id: string, user: string, index: number | undefined): Step => ({
    name: `${user} reads ${id}${index === undefined ? "" : ` until message ${index}`}`,
    expected: (model) => model.markRead(id, user, index),
    request: [
      "PUT",
      `${channels}/${id}/members/${user}/read`,
      index === undefined ? {} : { message_id: messageAt(id, index) },
    ],
    select: ({ unread_count }) => unread_count,
  }),
  inbox: (user: string): Step => ({
    name: `inbox of ${user}`,
    expected: (model) => model.inbox(user),
    request: ["GET", `/v1/users/${user}/channels`],
    select: ({ channels }) =>
      channels.map(({ channel_id, unread_count, last_message }: Body) => [
        channel_id,
        unread_count,
        last_message?.content,
      ]),
  }),
  unread: (user: string): Step => ({
    name: `unread of ${user}`,
    expected: (model) => model.unread(user),
    request: ["GET", `/v1/users/${user}/unread`],
    select: ({ unread_count: total, channel_count: channels }) => ({ total, channels }),
  }),
};
