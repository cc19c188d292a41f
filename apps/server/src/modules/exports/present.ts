import type { UrlOf } from "../../chat/attachments";
import { presentMessage } from "../../chat/messages/present";
import { messageBytes } from "../../chat/messages/store";
import { presentUser } from "../../chat/users/present";
import { jsonBytes } from "../../paging/page-bytes";
import type { ExportRow, MessagePage } from "./store";

/** The size of a row of a page with its sender. */
export function createMeter({ senders }: MessagePage): (row: ExportRow) => number {
  const bytesOfSender = new Map([...senders].map(([pk, sender]) => [pk, jsonBytes(sender)]));
  return (row) => messageBytes(row) + (bytesOfSender.get(row.senderPk ?? 0) ?? 0);
}

/** The messages of a page. Each sender is presented once. */
export function presentMessages(channelId: string, { rows, senders }: MessagePage, urlOf: UrlOf) {
  const users = new Map([...senders].map(([pk, sender]) => [pk, presentUser(sender)]));
  return rows.map((row) => {
    const user = row.senderPk === null ? undefined : users.get(row.senderPk);
    if (user === undefined && row.senderPk !== null)
      throw new Error(`The message ${row.messagePk} has no sender.`);
    return presentMessage(channelId, row, user, urlOf);
  });
}
