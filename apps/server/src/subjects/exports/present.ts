import { formatMessageId } from "../messages/message-id";
import { presentUser } from "../users/present";
import type { ExportRow, MessagePage } from "./store";

/** A page as the text of its JSON. Each sender is encoded once; bodies and metadata are JSON already. */
export function presentPage(page: {
  readonly channelId: string;
  readonly rows: readonly ExportRow[];
  readonly senders: MessagePage["senders"];
  readonly timezone: string;
  readonly next: string | undefined;
}): string {
  const channel = JSON.stringify(page.channelId);
  const senders = new Map([...page.senders].map(([pk, user]) => [pk, JSON.stringify(presentUser(user))]));
  const messages = page.rows.map(({ pk, senderPk, type, body, meta, createdAt, updatedAt }) => {
    const sender = senders.get(senderPk);
    if (sender === undefined) throw new Error(`The message ${pk} has no sender.`);
    const bodyName = type === "file" ? "file" : "content";
    return `{"message_id":"${formatMessageId({ createdAt, pk })}","channel_id":${channel},"user":${sender},"type":"${type}","${bodyName}":${body},"meta":${meta},"created_at":${createdAt},"updated_at":${updatedAt}}`;
  });
  const next = page.next === undefined ? "" : `,"next":${JSON.stringify(page.next)}`;
  return `{"messages":[${messages.join(",")}],"timezone":${JSON.stringify(page.timezone)}${next}}`;
}
