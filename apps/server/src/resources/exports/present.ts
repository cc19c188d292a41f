import { presentMessage } from "../messages/present";
import { presentUser } from "../users/present";
import type { MessagePage } from "./store";

/** The messages of a page. Each sender is presented once. */
export function presentMessages(channelId: string, { rows, senders }: MessagePage) {
  const users = new Map([...senders].map(([pk, sender]) => [pk, presentUser(sender)]));
  return rows.map(({ pk, senderPk, createdAt, updatedAt, content, file, meta, externalId }) => {
    const user = users.get(senderPk);
    if (user === undefined) throw new Error(`The message ${pk} has no sender.`);
    const message = {
      messagePk: pk,
      sentAt: createdAt,
      editedAt: updatedAt,
      content,
      file,
      messageMeta: meta,
      externalId,
    };
    return presentMessage(channelId, message, user);
  });
}
