import { limits } from "@madang/contract";
import { formatDay } from "../day";
import type { Message, NewMessage } from "../generated/types";
import type { Handler } from "./handler";
import { takePage } from "./paging";
import { ServiceError } from "./service-error";
import { presentUser } from "./world";

export const messageHandlers = {
  "messages.send": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { user_id, meta = {}, ...content }: NewMessage = body;
    const channel = world.requireChannel(channel_id);
    const user = presentUser(world.requireUser(user_id));
    const isManager = channel.managers.has(user_id);
    if (!isManager && !channel.members.has(user_id))
      throw new ServiceError(
        "not_a_participant",
        `${user_id} is neither a participant nor a manager of the channel.`,
      );
    if (channel.freeze && !isManager) throw new ServiceError("channel_frozen", "The channel is frozen.");
    const message = {
      ...{ message_id: String(world.nextNumber()), channel_id, user },
      ...content,
      ...{ meta, created_at: now, updated_at: now },
      // The type and its fields come from one and the same variant of the request.
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
} as const satisfies Record<string, Handler>;
