import type { UnannouncedCode } from "@madang/contract";
import type { Tx } from "../../db/db";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { lockUsersAndChannels } from "../channels/lock-store";
import { findObstacle } from "../channels/may-send";
import { formatMessageId } from "../message-id";
import { explainRejections, type SenderState } from "./may-send-store";
import { type AssignedMessage, type NewMessage, type SentMessage, toRow } from "./new-message";
import { storeMessages } from "./send-store";

/** A message to several channels. */
interface Announcement extends Omit<NewMessage, "channelId" | PassedField> {
  /** What the checks let each channel get, in the order of the channels. Rejected: nothing. */
  readonly texts: ReadonlyMap<string, Pick<NewMessage, PassedField> | "message_rejected">;
}

type PassedField = "content" | "parts" | "meta" | "isReplaced" | "addToMessage";

/** The message of a channel, or the code of the rejection. */
export type Announced =
  | { readonly channelId: string; readonly row: SentMessage }
  | { readonly channelId: string; readonly code: UnannouncedCode };

/**
 * Sends a message to each channel that `sendMessage` would accept, in one transaction: an interrupted request has sent nothing. On
 * Citus, it is one transaction for each schema: an interrupted request is completed when it is sent again.
 */
export async function sendToChannels(
  writer: Writer,
  announcement: Announcement,
  now: number,
): Promise<Announced[]> {
  const { texts, ...message } = announcement;
  const channelIds = [...texts.keys()];
  const outcomes = await writer.writeSchemas(channelIds, (tx, ids) =>
    sendToSchema(tx, announcement, ids, now),
  );
  const byChannel = new Map(outcomes.map((outcome) => [outcome.channelId, outcome]));
  return [...texts].flatMap(([channelId, text]): Announced[] => {
    const outcome = byChannel.get(channelId);
    if (outcome === undefined) return [];
    if (outcome.code !== null) return [{ channelId, code: outcome.code }];
    if (text === "message_rejected") return [{ channelId, code: text }];
    return [{ channelId, row: toRow({ ...message, ...text, channelId }, outcome) }];
  });
}

/** The stored result of an idempotency key. It has no content of the message, because deletions do not remove results. */
type ChannelOutcome =
  | { readonly channelId: string; readonly code: UnannouncedCode }
  | (AssignedMessage & { readonly channelId: string; readonly code: null });

/** The channels are locked first, so the reasons of rejections cannot change before a later statement finds them. */
async function sendToSchema(
  tx: Tx,
  { texts, ...message }: Announcement,
  channelIds: readonly string[],
  now: number,
): Promise<ChannelOutcome[]> {
  const outcomes = new Map<string, ChannelOutcome>();
  const listLeft = () => channelIds.filter((id) => !outcomes.has(id));
  await tx.query(lockUsersAndChannels, [channelIds, [message.senderId]]);
  await writeOrExplain(
    async () => {
      const messages = listLeft().flatMap((channelId) => {
        const text = texts.get(channelId);
        return text === undefined || text === "message_rejected" ? [] : [{ ...message, ...text, channelId }];
      });
      const stored = await storeMessages(tx, messages, now);
      for (const [index, { channelId, addToMessage }] of messages.entries()) {
        const sent = stored[index];
        if (sent === undefined) continue;
        outcomes.set(channelId, { ...sent, channelId, code: null });
        const messageId = formatMessageId({ createdAt: sent.sentAt, pk: sent.messagePk });
        await addToMessage?.(tx, { channelId, messageId });
      }
      return listLeft().length === 0 ? [outcomes] : [];
    },
    async () => {
      const question = { channelIds: listLeft(), userId: message.senderId };
      for (const found of await explainRejections(tx, question)) {
        const { channelId } = found;
        const isRejected = texts.get(channelId) === "message_rejected";
        const code = findCode(found) ?? (isRejected ? "message_rejected" : undefined);
        if (code !== undefined) outcomes.set(channelId, { channelId, code });
      }
      return listLeft().length === 0 ? outcomes : undefined;
    },
  );
  return [...outcomes.values()];
}

function findCode(found: SenderState): UnannouncedCode | undefined {
  if (!found.isChannel) return "channel_not_found";
  if (!found.isUser) return "user_not_found";
  return findObstacle(found) ?? ((found.slowModeWaitMs ?? 0) > 0 ? "slow_mode" : undefined);
}
