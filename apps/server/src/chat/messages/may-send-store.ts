import type { Db, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { type SendingRights, selectSendingRights } from "../channels/may-send";
import { slowModeWait } from "../channels/slow-mode";
import { rejectUnknownChannel } from "../channels/store";
import { hasAnyRole } from "../channels/visibility";
import { rejectUnknownUser } from "../users/store";
import type { ReactionCounts } from "./store";

interface Question {
  readonly channelIds: readonly string[];
  /** Null for a system message. */
  readonly userId: string | null;
  /** The message to which it replies or reacts. */
  readonly message?: Position | undefined;
  readonly mentions?: readonly string[] | null;
  readonly externalId?: string | null;
}

/** What the statements with `maySend` depend on, at one moment. */
export interface SenderState extends SendingRights {
  readonly channelId: string;
  readonly channelPk: number;
  readonly isChannel: boolean;
  readonly isUser: boolean;
  /** Null if there is no such message, or none was named. */
  readonly message: { readonly reactions: ReactionCounts | null } | null;
  /** The first mentioned user who is neither a participant nor a manager. */
  readonly absentUser: string | null;
  /** For how long slow mode does not let the user send. Null or less than 1: it does. */
  readonly slowModeWaitMs: number | null;
  /** The message that has the external id. Null if there is none, or no id was named. */
  readonly namesake: Position | null;
}

/** Finds out, for each channel, why what a user does there was rejected. The channels are on one schema. */
export function explainRejections(
  db: Pick<Db, "query">,
  { channelIds, userId, message, mentions = null, externalId = null }: Question,
): Promise<SenderState[]> {
  const { createdAt = null, pk = null } = message ?? {};
  return db.query(explain, [channelIds, userId, createdAt, pk, mentions, externalId]);
}

/**
 * The same for one channel. Rejects the request if the channel or the user does not exist, or the channel does not exist for the
 * user as whom the request acts.
 */
export async function explainRejection(
  db: Db,
  channelId: string,
  question: Omit<Question, "channelIds">,
  acting: ActingUser | undefined,
): Promise<SenderState> {
  const [found] = await explainRejections(db, { ...question, channelIds: [channelId] });
  if (!found?.isChannel) return rejectUnknownChannel(channelId);
  if (acting !== undefined && !found.isMember && !found.isManager) return rejectUnknownChannel(channelId);
  if (question.userId !== null && !found.isUser) return rejectUnknownUser(question.userId);
  return found;
}

// OFFSET makes PostgreSQL look up each channel: it would otherwise read the whole tables of mutes and bans.
const explain: Statement<SenderState> = {
  name: "messages.explain",
  text: `SELECT asked.id AS "channelId", c.pk AS "channelPk", c.pk IS NOT NULL AS "isChannel", u.pk IS NOT NULL AS "isUser", facts.*
    FROM unnest($1::text[]) AS asked (id)
    LEFT JOIN channels c ON c.channel_id = asked.id AND c.deleted_at IS NULL
    LEFT JOIN users u ON u.user_id = $2 AND u.deleted_at IS NULL
    CROSS JOIN LATERAL (
      SELECT ${selectSendingRights("c", "u")}, (
          SELECT json_build_object('reactions', m.reactions) FROM messages m
          WHERE m.channel_pk = c.pk AND m.created_at = $3::bigint AND m.pk = $4::bigint) AS message, (
          SELECT named.id FROM unnest($5::text[]) WITH ORDINALITY AS named (id, ordinal)
          LEFT JOIN users person ON person.user_id = named.id AND person.deleted_at IS NULL
          WHERE NOT ${hasAnyRole("c.pk", "person.pk")}
          ORDER BY ordinal LIMIT 1) AS "absentUser", (
          SELECT json_build_object('createdAt', m.created_at, 'pk', m.pk) FROM messages m
          WHERE m.channel_pk = c.pk AND m.external_id = $6::text) AS namesake,
        ${slowModeWait("c", "u")} AS "slowModeWaitMs"
      OFFSET 0) AS facts`,
};
