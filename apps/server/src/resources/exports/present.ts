import { presentMessage } from "../messages/present";
import { presentUser } from "../users/present";
import type { MessagePage } from "./store";

/** The messages of a page. Each sender is presented once. */
export function presentMessages(channelId: string, { rows, senders }: MessagePage) {
  const users = new Map([...senders].map(([pk, sender]) => [pk, presentUser(sender)]));
  return rows.map(({ pk, senderPk, createdAt, updatedAt, content, file, meta, externalId, extras }) => {
    const user = senderPk === null ? undefined : users.get(senderPk);
    if (user === undefined && senderPk !== null) throw new Error(`The message ${pk} has no sender.`);
    const message = {
      messagePk: pk,
      sentAt: createdAt,
      changedAt: updatedAt,
      content,
      file,
      messageMeta: meta,
      externalId,
      extras,
    };
    return presentMessage(channelId, message, user);
  });
}
