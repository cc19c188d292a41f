import { limits } from "@madang/contract";
import { formatDay } from "../day";
import type { Message, NewMessage } from "../wire";
import type { Handler, HandlerResult } from "./handler";
import { takePage } from "./paging";
import { Refusal } from "./refuse";
import { presentUser, type World } from "./world";

export const messageHandlers = {
  "messages.send": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { user_id, meta = {}, ...content }: NewMessage = body;
    const channel = world.requireChannel(channel_id);
    const user = presentUser(world.requireUser(user_id));
    const isManager = channel.managers.has(user_id);
    if (!isManager && !channel.members.has(user_id))
      throw new Refusal("not_a_participant", `${user_id} neither takes part in the channel nor manages it.`);
    if (channel.freeze && !isManager) throw new Refusal("channel_frozen", "The channel is frozen.");
    const message = {
      ...{ message_id: String(world.count()), channel_id, user },
      ...content,
      ...{ meta, created_at: now, updated_at: now },
    } as Message;
    channel.messages.push(message);
    channel.total_message_count++;
    if (content.type === "file") channel.total_file_count++;
    return { body: message };
  },
  "exports.messages": ({ params: { channel_id = "" }, query }, { world }) => {
    const { messages } = world.requireChannel(channel_id);
    const page = takePage(`messages of ${channel_id}`, query, limits.exportPage.default, (first) => {
      const { start_date = "", end_date = "9999-12-31", timezone } = first;
      return messages
        .map((row, order) => ({ row, order }))
        .filter(({ row }) => {
          // The day of a message in the zone: right on days of any length.
          const day = formatDay("start_date", new Date(row.created_at), timezone) ?? "";
          return day >= start_date && day <= end_date;
        })
        .sort((one, other) => other.row.created_at - one.row.created_at || other.order - one.order)
        .map(({ row }, index, { length }) => ({ row, order: length - index }));
    });
    const { timezone = "UTC" } = page.query;
    const next = page.next === undefined ? {} : { next: page.next };
    return { body: { messages: page.rows, timezone, ...next } };
  },
  "keys.list": (_, { world }) => ({ body: [...world.keys.values()] }),
  "keys.create": (_, { world, now }) => {
    if (world.keys.size >= limits.subKeys)
      throw new Refusal("key_limit_exceeded", `${world.keys.size} sub keys exist; no more can be created.`);
    const key = { key: `sk_fake_${world.count()}`, created_at: now };
    world.keys.set(key.key, key);
    return { body: key };
  },
  "keys.delete": ({ body }, { world }) => deleteKey(world, body),
  "keys.revoke": ({ body }, { world }) => deleteKey(world, body),
} as const satisfies Record<string, Handler>;

function deleteKey(world: World, { key }: { key: string }): HandlerResult {
  if (!world.keys.delete(key)) throw new Refusal("key_not_found", "There is no such sub key.");
  return {};
}
