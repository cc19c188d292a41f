import type { Db, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { createBatcher } from "../../write/batcher";
import type { IdempotencyKey } from "../../write/request";
import { type SendingRights, selectSendingRights } from "../channels/may-send";
import { slowModeWait } from "../channels/slow-mode";
import { rejectUnknownChannel } from "../channels/store";
import { hasAnyRole } from "../channels/visibility";
import { rejectUnknownUser } from "../users/store";
import type { ReactionCounts } from "./store";

interface Question {
  readonly channelId: string;
  /** Null for a system message. */
  readonly userId: string | null;
  /** The message to which it replies or reacts. */
  readonly message?: Position | undefined;
  readonly mentions?: readonly string[] | null;
  readonly externalId?: string | null;
  /** Of the request. */
  readonly key?: IdempotencyKey | undefined;
}

/** What the statements with `maySend` depend on, at one moment. */
export interface SenderState extends SendingRights {
  readonly channelId: string;
  readonly channelPk: number;
  readonly isChannel: boolean;
  readonly isUser: boolean;
  /** Null if there is no such user. */
  readonly userPk: number | null;
  /** Null if there is no such message, or none was named. */
  readonly message: { readonly reactions: ReactionCounts | null } | null;
  /** The first mentioned user who is neither a participant nor a manager. */
  readonly absentUser: string | null;
  /** For how long slow mode does not let the user send. Null or less than 1: it does. */
  readonly slowModeWaitMs: number | null;
  /** The message that has the external id. Null if there is none, or no id was named. */
  readonly namesake: Position | null;
  /** Whether an earlier request with the idempotency key has stored its result. That one may have caused all the rest. */
  readonly isRepeated: boolean;
}

/** Finds out, for each question, why what a user does in a channel was rejected. The channels are on one schema. */
export function explainRejections(
  db: Pick<Db, "query">,
  questions: readonly Question[],
): Promise<SenderState[]> {
  const valuesOf = (read: (question: Question) => unknown) =>
    questions.map((question) => read(question) ?? null);
  return db.query(explain, [
    valuesOf(({ channelId }) => channelId),
    valuesOf(({ userId }) => userId),
    valuesOf(({ message }) => message?.createdAt),
    valuesOf(({ message }) => message?.pk),
    valuesOf(({ mentions }) => mentions && JSON.stringify(mentions)),
    valuesOf(({ externalId }) => externalId),
    valuesOf(({ key }) => key?.caller),
    valuesOf(({ key }) => key?.key),
  ]);
}

/**
 * The same for one channel. Rejects the request if the channel or the user does not exist, or the channel does not exist for the
 * user as whom the request acts. Requests share the statement.
 */
export async function explainRejection(
  db: Db,
  channelId: string,
  question: Omit<Question, "channelId">,
  acting: ActingUser | undefined,
): Promise<SenderState> {
  const ask = askers.get(db) ?? batchQuestions(db);
  askers.set(db, ask);
  const found = await ask({ ...question, channelId });
  if (found.isRepeated) return found;
  if (!found.isChannel) return rejectUnknownChannel(channelId);
  // The user was deleted since the request began, and another one may have its id.
  if (acting !== undefined && found.userPk !== acting.userPk) return rejectUnknownChannel(channelId);
  if (acting !== undefined && !found.isMember && !found.isManager) return rejectUnknownChannel(channelId);
  if (question.userId !== null && !found.isUser) return rejectUnknownUser(question.userId);
  return found;
}

type Ask = (question: Question) => Promise<SenderState>;

const askers = new WeakMap<Db, Ask>();

/** Questions that arrive while others are read share the next statement. */
const batchQuestions = (db: Db): Ask =>
  createBatcher<Question, SenderState>({
    maxRunning: 1,
    runMany: (questions) => explainRejections(db, questions),
    async runOne(question) {
      const [found] = await explainRejections(db, [question]);
      if (found === undefined) throw new Error("The statement has a row for each question.");
      return found;
    },
  });

// OFFSET makes PostgreSQL look up each channel: it would otherwise read the whole tables of mutes and bans.
const explain: Statement<SenderState> = {
  name: "messages.explain",
  text: `SELECT asked.channel_id AS "channelId", c.pk AS "channelPk", c.pk IS NOT NULL AS "isChannel", u.pk IS NOT NULL AS "isUser",
      u.pk AS "userPk", facts.*
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::jsonb[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY
      AS asked (channel_id, user_id, message_created_at, message_pk, mentions, external_id, caller, key, ordinal)
    LEFT JOIN channels c ON c.channel_id = asked.channel_id AND c.deleted_at IS NULL
    LEFT JOIN users u ON u.user_id = asked.user_id AND u.deleted_at IS NULL
    CROSS JOIN LATERAL (
      SELECT ${selectSendingRights("c", "u")}, (
          SELECT json_build_object('reactions', m.reactions) FROM messages m
          WHERE m.channel_pk = c.pk AND m.created_at = asked.message_created_at AND m.pk = asked.message_pk) AS message, (
          SELECT named.id FROM jsonb_array_elements_text(asked.mentions) WITH ORDINALITY AS named (id, ordinal)
          LEFT JOIN users person ON person.user_id = named.id AND person.deleted_at IS NULL
          WHERE NOT ${hasAnyRole("c.pk", "person.pk")}
          ORDER BY named.ordinal LIMIT 1) AS "absentUser", (
          SELECT json_build_object('createdAt', m.created_at, 'pk', m.pk) FROM messages m
          WHERE m.channel_pk = c.pk AND m.external_id = asked.external_id) AS namesake,
        ${slowModeWait("c", "u")} AS "slowModeWaitMs",
        EXISTS (SELECT FROM idempotency_keys k WHERE k.caller = asked.caller AND k.key = asked.key) AS "isRepeated"
      OFFSET 0) AS facts
    ORDER BY asked.ordinal`,
};
