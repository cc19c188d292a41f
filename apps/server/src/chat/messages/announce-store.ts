import type { UnannouncedCode } from "@madang/contract";
import type { Database, Tx } from "../../db/db";
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
  /** What each channel gets after the checks, in the order of the channels, or the code of a rejection. */
  readonly texts: ReadonlyMap<string, Pick<NewMessage, PassedField> | UnannouncedCode>;
  /** What the request had before the checks. */
  readonly original: Pick<NewMessage, PassedField>;
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
  const { texts, original, ...message } = announcement;
  const channelIds = [...texts.keys()];
  const outcomes = await writer.writeSchemas(channelIds, (tx, ids) =>
    sendToSchema(tx, announcement, ids, now),
  );
  const byChannel = new Map(outcomes.map((outcome) => [outcome.channelId, outcome]));
  return [...texts].flatMap(([channelId, text]): Announced[] => {
    const outcome = byChannel.get(channelId);
    if (outcome === undefined) return [];
    if (outcome.code !== null) return [{ channelId, code: outcome.code }];
    // A check rejected it this time, but an earlier request with the idempotency key has sent it.
    const sent = typeof text === "string" ? original : text;
    return [{ channelId, row: toRow({ ...message, ...sent, channelId }, outcome) }];
  });
}

/** The stored result of an idempotency key. It has no content of the message, because deletions do not remove results. */
type ChannelOutcome =
  | { readonly channelId: string; readonly code: UnannouncedCode }
  | (AssignedMessage & { readonly channelId: string; readonly code: null });

/** The channels are locked first, so the reasons of rejections cannot change before a later statement finds them. */
async function sendToSchema(
  tx: Tx,
  { texts, original: _, ...message }: Announcement,
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
        return text === undefined || typeof text === "string" ? [] : [{ ...message, ...text, channelId }];
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
      const questions = listLeft().map((channelId) => ({ channelId, userId: message.senderId }));
      for (const found of await explainRejections(tx, questions)) {
        const { channelId } = found;
        const text = texts.get(channelId);
        const code = findCode(found) ?? (typeof text === "string" ? text : undefined);
        if (code !== undefined) outcomes.set(channelId, { channelId, code });
      }
      return listLeft().length === 0 ? outcomes : undefined;
    },
  );
  return [...outcomes.values()];
}

/** The channels that would reject any message of the user now, each with the code. */
export async function findObstacles(
  db: Database,
  channelIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, UnannouncedCode>> {
  const obstacles = new Map<string, UnannouncedCode>();
  const questions = channelIds.map((channelId) => ({ channelId, userId }));
  for (const [schema, asked] of Map.groupBy(questions, ({ channelId }) => db.channel(channelId)))
    for (const found of await explainRejections(schema, asked)) {
      const code = findCode(found);
      if (code !== undefined) obstacles.set(found.channelId, code);
    }
  return obstacles;
}

function findCode(found: SenderState): UnannouncedCode | undefined {
  if (!found.isChannel) return "channel_not_found";
  if (!found.isUser) return "user_not_found";
  return findObstacle(found) ?? ((found.slowModeWaitMs ?? 0) > 0 ? "slow_mode" : undefined);
}
