import { futureTimeRule } from "@madang/contract";
import { lockBothFully } from "../../chat/channels/lock-store";
import { checkOfRightOver } from "../../chat/channels/rights-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import { existsFor, hasRole, isKnownIn } from "../../chat/channels/visibility";
import { emit } from "../../chat/emit";
import { explainRejection } from "../../chat/messages/may-send-store";
import { isInForce } from "../../chat/restrictions/conditions";
import { memberNotFound } from "../../chat/restrictions/errors";
import { type UserRow, userColumnsOf } from "../../chat/users/store";
import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined, type Row } from "../../db/row";
import { invalidField, notPermitted } from "../../errors/service-error";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { type Command, defineCommand, type RowOf } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";

/** A ban in force, with its user. The field names do not collide with those of the user. */
export interface BanRow extends UserRow, Pick<Row<"Ban">, "userPk" | "until" | "reason"> {
  readonly bannedAt: number;
}

/** Mutes a participant until a time; 0 is permanent. Replaces an earlier mute. */
export function muteMember(writer: Writer, channelId: string, userId: string, until: number): Promise<void> {
  return change(writer, channelId, userId, mute, { ...nameOf(channelId, userId), until }, async () => {
    await rejectPastTime(writer.db, until);
    const { isMember } = await explainRejection(writer.db, channelId, { userId }, undefined);
    if (!isMember) throw memberNotFound(userId, channelId);
  });
}

/** Ends a mute, including that of a user who has left the channel. */
export function unmuteMember(writer: Writer, channelId: string, userId: string): Promise<void> {
  return change(writer, channelId, userId, unmute, nameOf(channelId, userId));
}

/** Bans a user until a time; 0 is permanent. Ends the membership and the manager role of the user. */
export function addBan(
  writer: Writer,
  channelId: string,
  userId: string,
  { until, reason }: { until: number; reason: string | undefined },
  now: number,
): Promise<void> {
  return change(
    writer,
    channelId,
    userId,
    ban,
    { ...nameOf(channelId, userId), until, reason: reason ?? null, now },
    () => rejectPastTime(writer.db, until),
  );
}

export function removeBan(writer: Writer, channelId: string, userId: string): Promise<void> {
  return change(writer, channelId, userId, unban, nameOf(channelId, userId));
}

/**
 * The bans of a channel that are in force, newest first, after the position. Of users, only managers see them, and not those of
 * strangers.
 */
export async function listBans(
  db: Db,
  channelId: string,
  { before, count, acting }: { before: Position; count: number; acting: ActingUser | undefined },
) {
  const values = [channelId, before.createdAt, before.pk, count, acting?.userPk ?? null];
  const rows = await db.query(list, values);
  const first = rows[0] ?? rejectUnknownChannel(channelId);
  if (!first.isPermitted) throw notPermitted("Only a manager of the channel may see its bans.");
  return { channelPk: first.channelPk, bans: itemsOf(rows, "userId") };
}

/** Rejects the request if the time has passed by the clock of the database, which also ends restrictions. 0 is permanent. */
export async function rejectPastTime(db: Pick<Db, "query">, until: number, field = "until"): Promise<void> {
  const [past] = await db.query(findPast, [until]);
  if (past !== undefined) throw invalidField("body", field, futureTimeRule);
}

/**
 * Changes a restriction while the user and the channel are locked: sends, joins and reactions wait, and the statement sees every
 * earlier one. `reject` throws the reason of the statement itself for which it changed nothing.
 */
async function change<Column extends string>(
  writer: Writer,
  channelId: string,
  userId: string,
  command: Command<unknown, Column>,
  row: RowOf<Column>,
  reject: () => Promise<void> = async () => undefined,
): Promise<void> {
  await writeOrExplain(
    () => writer.write(command, row, checkOfRightOver(writer, channelId, userId)),
    async () => {
      await reject();
      await explainRejection(writer.db, channelId, { userId }, undefined);
      return undefined;
    },
  );
}

const nameOf = (channelId: string, userId: string) => ({ channel_id: channelId, user_id: userId });
const named = { channel_id: "text", user_id: "text" };
const options = {
  lock: { statement: lockBothFully, columns: ["channel_id", "user_id"] },
  // A change raises the revision of the channel.
  sharing: { group: ["channel_id"] },
} as const;

const findPast: Statement<{ isPast: true }> = {
  name: "moderation.find-past",
  text: `SELECT true AS "isPast" WHERE NOT ${isInForce("$1::bigint")}`,
};

/** The rows that are locked. */
const target = `target AS (
      SELECT sent.*, c.pk AS channel_pk, u.pk AS user_pk FROM sent
      JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL
    )`;

const about = { channelPk: "channel_pk", channelId: "channel_id", userPk: "user_pk", userId: "user_id" };

const isOf = (table: string, row: string) =>
  `${table}.channel_pk = ${row}.channel_pk AND ${table}.user_pk = ${row}.user_pk`;

// Each statement returns one row unless it is rejected. A restriction that would not change is not written, and has no event.
const mute = defineCommand<unknown, keyof typeof named | "until">(
  "members.mute",
  { ...named, until: "bigint" },
  `${target}, permitted AS (
      SELECT target.* FROM target WHERE ${isInForce("until")}
        AND EXISTS (SELECT FROM members e WHERE ${isOf("e", "target")})
    ), muted AS (
      INSERT INTO mutes AS m (channel_pk, user_pk, until) SELECT channel_pk, user_pk, until FROM permitted
      ON CONFLICT (channel_pk, user_pk) DO UPDATE SET until = excluded.until WHERE m.until <> excluded.until
      RETURNING m.channel_pk, m.user_pk, m.until
    ), counted AS (
      UPDATE channels c SET moderation_revision = moderation_revision + 1 FROM muted WHERE c.pk = muted.channel_pk
    ), emitted AS (${emit(
      "member.muted",
      { ...about, detail: "jsonb_build_object('muted_until', permitted.until)" },
      "muted JOIN permitted USING (channel_pk, user_pk)",
    )}), effect AS (SELECT ordinal, true AS "isMuted" FROM permitted)`,
  options,
);

const unmute = defineCommand<unknown, keyof typeof named>(
  "members.unmute",
  named,
  `${target}, unmuted AS (
      DELETE FROM mutes m USING target
      WHERE ${isOf("m", "target")} AND ${isInForce("m.until")}
      RETURNING target.*
    ), emitted AS (${emit("member.unmuted", about, "unmuted")}), effect AS (SELECT ordinal, true AS "isUnmuted" FROM target)`,
  options,
);

// A ban that is replaced keeps its `created_at`, unless it had expired: then it is a new ban. One that does not change ends the roles
// too: it can be in force again, because the clock was set back.
const ban = defineCommand<unknown, keyof typeof named | "until" | "reason" | "now">(
  "bans.add",
  { ...named, until: "bigint", reason: "text", now: "bigint" },
  `${target}, permitted AS (
      SELECT target.* FROM target WHERE ${isInForce("until")}
    ), banned AS (
      INSERT INTO bans AS b (channel_pk, user_pk, until, reason, created_at, was_known)
      SELECT channel_pk, user_pk, until, reason, now, ${isKnownIn("permitted.channel_pk", "permitted.user_pk")} FROM permitted
      ON CONFLICT (channel_pk, user_pk) DO UPDATE SET until = excluded.until, reason = excluded.reason,
        was_known = b.was_known OR excluded.was_known, created_at = CASE WHEN ${isInForce("b.until")} THEN b.created_at ELSE excluded.created_at END
      WHERE (b.until, b.reason) IS DISTINCT FROM (excluded.until, excluded.reason)
      RETURNING b.channel_pk, b.until
    ), left_as_member AS (
      DELETE FROM members e USING permitted WHERE ${isOf("e", "permitted")} RETURNING e.channel_pk
    ), left_as_manager AS (
      DELETE FROM managers e USING permitted WHERE ${isOf("e", "permitted")} RETURNING e.channel_pk
    ), counted AS (
      UPDATE channels c SET moderation_revision = moderation_revision + 1,
        member_count = member_count - (SELECT count(*) FROM left_as_member gone WHERE gone.channel_pk = c.pk),
        manager_count = manager_count - (SELECT count(*) FROM left_as_manager gone WHERE gone.channel_pk = c.pk)
      FROM permitted WHERE c.pk = permitted.channel_pk
    ), emitted AS (
      INSERT INTO events (type, channel_pk, channel_id, user_pk, user_id, detail)
      SELECT type, channel_pk, channel_id, user_pk, user_id, detail FROM permitted CROSS JOIN LATERAL (
        SELECT 'member.left' AS type, NULL::jsonb AS detail, 1 AS step FROM left_as_member gone
        WHERE gone.channel_pk = permitted.channel_pk
        UNION ALL SELECT 'manager.removed', NULL, 2 FROM left_as_manager gone WHERE gone.channel_pk = permitted.channel_pk
        UNION ALL SELECT 'member.banned', jsonb_strip_nulls(jsonb_build_object('until', NULLIF(banned.until, 0))), 3
        FROM banned WHERE banned.channel_pk = permitted.channel_pk
      ) AS event ORDER BY ordinal, step
    ), effect AS (SELECT ordinal, true AS "isBanned" FROM permitted)`,
  options,
);

const unban = defineCommand<unknown, keyof typeof named>(
  "bans.remove",
  named,
  `${target}, unbanned AS (
      DELETE FROM bans b USING target
      WHERE ${isOf("b", "target")} AND ${isInForce("b.until")}
      RETURNING target.*
    ), emitted AS (${emit("member.unbanned", about, "unbanned")}), effect AS (SELECT ordinal, true AS "isUnbanned" FROM target)`,
  options,
);

interface OfChannel {
  readonly channelPk: number;
  /** If not, no ban is read. */
  readonly isPermitted: boolean;
}

const list: Statement<Joined<BanRow, "userId", OfChannel>> = {
  name: "bans.list",
  text: `SELECT c.pk AS "channelPk", "isPermitted", entry.* FROM channels c
    CROSS JOIN LATERAL (SELECT $5::bigint IS NULL OR ${hasRole("managers", "c.pk", "$5")} AS "isPermitted") AS rights
    LEFT JOIN LATERAL (
      SELECT u.pk AS "userPk", until, reason, b.created_at AS "bannedAt", ${userColumnsOf("u.")} FROM bans b
      JOIN users u ON u.pk = b.user_pk AND u.deleted_at IS NULL
      WHERE b.channel_pk = c.pk AND ${isInForce("b.until")} AND ($5::bigint IS NULL OR b.was_known) AND (b.created_at, b.user_pk) < ($2::bigint, $3::bigint)
      ORDER BY b.created_at DESC, b.user_pk DESC LIMIT $4
    ) AS entry ON "isPermitted"
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$5")} ORDER BY entry."bannedAt" DESC, entry."userPk" DESC`,
};
