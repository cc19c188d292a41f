import type { UserRight } from "@madang/contract";
import type { Db, Statement } from "../../db/db";
import { notPermitted } from "../../errors/service-error";
import type { Writer } from "../../write/writer";
import { findPosition } from "../message-id";
import { rejectUnknownUser } from "../users/store";
import { channelFrozen, requireMaySend, type SendingRights, selectSendingRights } from "./may-send";
import { rejectUnknownChannel } from "./store";
import { isKnownIn } from "./visibility";

/** What a change names. The rights of authors depend on the message. */
interface ChangedThing {
  readonly channelId: string;
  readonly messageId?: string;
}

/** That of a sender who adds and changes no text needs no right to send. */
type CheckedRight = UserRight | "former_author";

/** Why a participant or manager of the channel does not have the right. A name of the user itself has been checked before. */
const explanations: Readonly<Record<Exclude<CheckedRight, "member" | "self">, string>> = {
  author: "Only the sender of the message may do this.",
  former_author: "Only the sender of the message may do this.",
  author_or_manager: "Only the sender of the message and the managers of the channel may do this.",
  manager: "Only a manager of the channel may do this.",
  no: "No user may do this.",
};

/**
 * A check that the user as whom a request acts has the right that the contract requires, or a given one. For a change that has
 * locked the channel: who is removed from it, or loses the role, does so before or after the change. For a change that needs the right
 * to send, the user must be locked too: a suspension waits for it. Undefined for a request that acts as no user.
 */
export function checkOfRight(
  { request: { acting } }: Writer,
  { channelId, messageId }: ChangedThing,
  right: CheckedRight | undefined = acting?.right,
): ((tx: Pick<Db, "query">) => Promise<void>) | undefined {
  if (acting === undefined || right === undefined) return undefined;
  const position = messageId === undefined ? undefined : findPosition(messageId);
  return async (tx) => {
    const values = [channelId, acting.userPk, position?.createdAt ?? null, position?.pk ?? null];
    const [found] = await tx.query(find, values);
    if (found === undefined || !(found.isMember || found.isManager)) rejectUnknownChannel(channelId);
    const { isManager, isMessage, isAuthor, isFrozen } = found;
    // Without a message, the change finds that there is none.
    const hasRight = {
      author: isAuthor || !isMessage,
      former_author: isAuthor || !isMessage,
      author_or_manager: isAuthor || isManager || !isMessage,
      manager: isManager,
      no: false,
    };
    if (right !== "member" && right !== "self" && !hasRight[right]) throw notPermitted(explanations[right]);
    if (right === "author") requireMaySend({ ...found, channelId }, acting.userId);
    if (right === "author_or_manager" && isFrozen && !isManager) throw channelFrozen(channelId);
  };
}

/**
 * The same check for a change that names another user. One whom the users of the channel do not know is as if it did not exist, so that
 * they do not learn which users there are.
 */
export function checkOfRightOver(
  writer: Writer,
  channelId: string,
  userId: string,
): ReturnType<typeof checkOfRight> {
  const check = checkOfRight(writer, { channelId });
  if (check === undefined) return undefined;
  return async (tx) => {
    await check(tx);
    const [known] = await tx.query(findKnown, [channelId, userId]);
    if (known === undefined) rejectUnknownUser(userId);
  };
}

const findKnown: Statement<{ isKnown: true }> = {
  name: "rights.find-known",
  text: `SELECT true AS "isKnown" FROM channels c, users u
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL AND ${isKnownIn("c.pk", "u.pk")}`,
};

interface Rights extends SendingRights {
  readonly isMessage: boolean;
  readonly isAuthor: boolean;
}

const find: Statement<Rights> = {
  name: "rights.find",
  text: `SELECT ${selectSendingRights("c", "u")},
      m.pk IS NOT NULL AS "isMessage", COALESCE(m.sender_pk = u.pk, false) AS "isAuthor"
    FROM channels c JOIN users u ON u.pk = $2 AND u.deleted_at IS NULL
    LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $3 AND m.pk = $4
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL`,
};
