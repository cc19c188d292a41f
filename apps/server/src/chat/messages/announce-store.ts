import type { UnsentCode } from "@madang/contract";
import type { Tx } from "../../db/db";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { lockUsersAndChannels } from "../channels/lock-store";
import { findObstacle } from "../channels/may-send";
import { explainRejections, type SenderState } from "./may-send-store";
import { type AssignedMessage, type NewMessage, toRow } from "./new-message";
import { storeMessages } from "./send-store";
import type { MessageRow } from "./store";

/** A message to several channels. */
interface Announcement extends Omit<NewMessage, "channelId"> {
  /** Without duplicates. */
  readonly channelIds: readonly string[];
}

/** The message of a channel, or the code of the rejection. */
export type Announced =
  | { readonly channelId: string; readonly row: MessageRow }
  | { readonly channelId: string; readonly code: UnsentCode };

/**
 * Sends a message to each channel that `sendMessage` would accept, in one transaction: an interrupted request has sent nothing. On
 * Citus, it is one transaction for each schema: an interrupted request is completed when it is sent again.
 */
export async function sendToChannels(
  writer: Writer,
  announcement: Announcement,
  now: number,
): Promise<Announced[]> {
  const { channelIds, ...message } = announcement;
  const outcomes = await writer.writeSchemas(channelIds, (tx, ids) =>
    sendToSchema(tx, { ...message, channelIds: ids }, now),
  );
  const byChannel = new Map(outcomes.map((outcome) => [outcome.channelId, outcome]));
  return channelIds.flatMap((channelId): Announced[] => {
    const outcome = byChannel.get(channelId);
    if (outcome === undefined) return [];
    if (outcome.code !== null) return [{ channelId, code: outcome.code }];
    return [{ channelId, row: toRow({ ...message, channelId }, outcome) }];
  });
}

/** The stored result of an idempotency key. It has no content of the message, because deletions do not remove results. */
type ChannelOutcome =
  | { readonly channelId: string; readonly code: UnsentCode }
  | (AssignedMessage & { readonly channelId: string; readonly code: null });

/** The channels are locked first, so the reasons of rejections cannot change before a later statement finds them. */
async function sendToSchema(
  tx: Tx,
  { channelIds, ...message }: Announcement,
  now: number,
): Promise<ChannelOutcome[]> {
  const outcomes = new Map<string, ChannelOutcome>();
  const listLeft = () => channelIds.filter((id) => !outcomes.has(id));
  await tx.query(lockUsersAndChannels, [channelIds, [message.senderId]]);
  await writeOrExplain(
    async () => {
      const left = listLeft();
      const messages = left.map((channelId) => ({ ...message, channelId }));
      const stored = await storeMessages(tx, messages, now);
      for (const [index, channelId] of left.entries()) {
        const sent = stored[index];
        if (sent !== undefined) outcomes.set(channelId, { ...sent, channelId, code: null });
      }
      return listLeft().length === 0 ? [outcomes] : [];
    },
    async () => {
      const question = { channelIds: listLeft(), userId: message.senderId };
      for (const found of await explainRejections(tx, question)) {
        const code = findCode(found);
        if (code !== undefined) outcomes.set(found.channelId, { channelId: found.channelId, code });
      }
      return listLeft().length === 0 ? outcomes : undefined;
    },
  );
  return [...outcomes.values()];
}

function findCode(found: SenderState): UnsentCode | undefined {
  if (!found.isChannel) return "channel_not_found";
  if (!found.isUser) return "user_not_found";
  return findObstacle(found);
}
