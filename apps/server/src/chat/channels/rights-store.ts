import type { UserRight } from "@madang/contract";
import type { Queryable, Statement } from "../../db/db";
import { notPermitted } from "../../errors/service-error";
import type { Writer } from "../../write/writer";
import { findPosition } from "../message-id";
import { rejectUnknownChannel } from "./store";
import { hasRole } from "./visibility";

/** What a change names. The rights of authors depend on the message. */
interface ChangedThing {
  readonly channelId: string;
  readonly messageId?: string;
}

/** Why a participant or manager of the channel does not have the right. A name of the user itself has been checked before. */
const explanations: Readonly<Record<Exclude<UserRight, "member" | "self">, string>> = {
  author: "Only the sender of the message may do this.",
  author_or_manager: "Only the sender of the message and the managers of the channel may do this.",
  manager: "Only a manager of the channel may do this.",
  no: "No user may do this.",
};

/**
 * A check that the user as whom a request acts has the right that the contract requires, or a given one. For a change that has
 * locked the channel: who is removed from it, or loses the role, does so before or after the change. Undefined for a request that
 * acts as no user.
 */
export function checkOfRight(
  { request: { acting } }: Writer,
  { channelId, messageId }: ChangedThing,
  right = acting?.right,
): ((tx: Pick<Queryable, "query">) => Promise<void>) | undefined {
  if (acting === undefined || right === undefined) return undefined;
  const position = messageId === undefined ? undefined : findPosition(messageId);
  return async (tx) => {
    const values = [channelId, acting.userPk, position?.createdAt ?? null, position?.pk ?? null];
    const [found] = await tx.query(find, values);
    if (found === undefined || !(found.isMember || found.isManager)) rejectUnknownChannel(channelId);
    const { isManager, isMessage, isAuthor } = found;
    // Without a message, the change finds that there is none.
    const hasRight = {
      author: isAuthor || !isMessage,
      author_or_manager: isAuthor || isManager || !isMessage,
      manager: isManager,
      no: false,
    };
    if (right !== "member" && right !== "self" && !hasRight[right]) throw notPermitted(explanations[right]);
  };
}

interface RolesAndAuthor {
  readonly isMember: boolean;
  readonly isManager: boolean;
  readonly isMessage: boolean;
  readonly isAuthor: boolean;
}

const find: Statement<RolesAndAuthor> = {
  name: "rights.find",
  text: `SELECT ${hasRole("members", "c.pk", "$2")} AS "isMember", ${hasRole("managers", "c.pk", "$2")} AS "isManager",
      m.pk IS NOT NULL AS "isMessage", COALESCE(m.sender_pk = $2, false) AS "isAuthor"
    FROM channels c LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $3 AND m.pk = $4
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL`,
};
