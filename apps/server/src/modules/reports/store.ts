import { checkOfRight, checkOfRightOver } from "../../chat/channels/rights-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import { emit } from "../../chat/emit";
import { keyOf, rejectUnknownMessage } from "../../chat/message-id";
import { selectContent } from "../../chat/messages/store";
import { lockUsers, rejectUnknownUser } from "../../chat/users/store";
import { type Database, type Db, defineLock, type Statement, type Tx } from "../../db/db";
import { type Field, fromPrisma, nameList, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { olderThan, type Position } from "../../paging/position";
import { writeLocked } from "../../write/write-locked";
import type { Writer } from "../../write/writer";

const reportSelection = {
  reportId: true,
  channelId: true,
  messageId: true,
  reportedUserId: true,
  reporterUserId: true,
  reason: true,
  status: true,
  resolution: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies { readonly [Name in Field<"Report">]?: true };
const reportFields = Object.keys(reportSelection);
export type ReportRow = Row<"Report", keyof typeof reportSelection>;
export const reportColumns = selectList(reportFields);
/** With the copy of the message. Stored results and events have none: the copy would not go with its report. */
export type ReportWithEvidence = ReportRow & { readonly evidence?: Evidence | null };

/** What a reported message was. */
export interface Evidence {
  readonly content?: string;
  readonly file_name?: string;
  readonly attachments?: string[];
  readonly created_at: number;
}

export interface NewReport {
  readonly channelId: string;
  readonly messageId: string | undefined;
  readonly reportedUserId: string | undefined;
  readonly reporterUserId: string | undefined;
  readonly reason: string;
}

/**
 * Stores a report, unless its reporter has an open one about the same message and user. Its channel, message and users must exist.
 * `reports` is where it is stored, if not in the transaction.
 */
export async function createReport(
  writer: Writer,
  report: NewReport,
  now: number,
  reports?: Pick<Db, "query">,
): Promise<{ report: ReportRow; isCreated: boolean }> {
  const { channelId, messageId, reportedUserId, reporterUserId, reason } = report;
  let open: ReportRow | undefined;
  const check =
    reportedUserId === undefined
      ? checkOfRight(writer, { channelId })
      : checkOfRightOver(writer, channelId, reportedUserId);
  const [created] = await writer.writeAll((tx) =>
    withLockedNames(tx, report, check, async ({ channelPk, message, reported, reporterPk }) => {
      const reportedPk = reported?.pk ?? null;
      if (messageId !== undefined && reporterPk !== null) {
        await tx.query(lockReports, [reporterPk]);
        [open] = await tx.query(findOpen, [reporterPk, channelPk, messageId, reportedPk]);
        if (open !== undefined) return [];
      }
      return (reports ?? tx).query(insert, [
        channelPk,
        channelId,
        messageId ?? null,
        message?.senderPk ?? null,
        reportedPk,
        reported?.userId ?? null,
        reporterPk,
        reporterUserId ?? null,
        reason,
        now,
        message?.evidence ?? null,
      ]);
    }),
  );
  const stored = created ?? open;
  if (stored === undefined) throw new Error("The report was not stored.");
  return { report: stored, isCreated: created !== undefined };
}

interface Named {
  readonly channelPk: number;
  readonly message: ReportedMessage | undefined;
  /** The user that the request names, otherwise the sender of the message, unless it has been deleted. */
  readonly reported: { readonly pk: number; readonly userId: string } | undefined;
  readonly reporterPk: number | null;
}

interface ReportedMessage {
  /** Null in a system message. */
  readonly senderPk: number | null;
  readonly evidence: Evidence;
}

/**
 * Runs work with the internal keys of what a report names. Rejects the request if one does not exist. All are locked meanwhile: a
 * deletion or an erasure waits, and then finds the report.
 */
async function withLockedNames<Result>(
  tx: Tx,
  { channelId, messageId, reportedUserId, reporterUserId }: NewReport,
  check: ((tx: Tx) => Promise<void>) | undefined,
  work: (named: Named) => Promise<Result>,
): Promise<Result> {
  const named = messageId === undefined ? undefined : keyOf({ channelId, messageId });
  // The sender of a message does not change.
  const [sender] = named === undefined ? [] : await tx.channel(channelId).query(findSender, named);
  const ids = [reportedUserId ?? sender?.userId, reporterUserId].filter((id) => id !== undefined);
  const users = ids.length === 0 ? [] : await tx.query(lockUsers, [ids]);
  const find = (userId: string | undefined) => users.find((user) => user.userId === userId);
  const require = (userId: string | undefined) =>
    userId === undefined ? undefined : (find(userId) ?? rejectUnknownUser(userId));
  return tx.channel(channelId).transaction(async (tx) => {
    // Before too: waiting for the lock would show somebody outside the channel that it exists.
    await check?.(tx);
    const [channel] = await tx.query(lockChannel, [channelId]);
    await check?.(tx);
    if (channel === undefined) return rejectUnknownChannel(channelId);
    const [message] = named === undefined ? [] : await tx.query(lockMessage, named);
    if (messageId !== undefined && message === undefined) return rejectUnknownMessage(channelId, messageId);
    return work({
      channelPk: channel.pk,
      message,
      reported: require(reportedUserId) ?? find(sender?.userId),
      reporterPk: require(reporterUserId)?.pk ?? null,
    });
  });
}

/** Reports older than the position, newest first. */
export async function listReports(
  db: Pick<Database, "prisma">,
  { status, before, count }: { status: string | undefined; before: Position; count: number },
): Promise<(ReportWithEvidence & Position)[]> {
  // A range and an order with the status, which only its index has. For a filter with an equals sign, PostgreSQL would read all reports
  // by time: while they all have another status, it expects that many have this one.
  const found = await db.prisma.report.findMany({
    select: { pk: true, evidence: true, ...reportSelection },
    where: { ...olderThan(before), ...(status !== undefined && { status: { gte: status, lte: status } }) },
    orderBy: [
      ...(status === undefined ? [] : [{ status: "desc" as const }]),
      { createdAt: "desc" },
      { pk: "desc" },
    ],
    take: count,
  });
  return found.map(withEvidence);
}

export async function requireReport(
  db: Pick<Database, "prisma">,
  reportId: string,
): Promise<ReportWithEvidence> {
  return (await findReport(db, reportId)) ?? rejectUnknownReport(reportId);
}

export async function findReport(
  db: Pick<Database, "prisma">,
  reportId: string,
): Promise<ReportWithEvidence | undefined> {
  const select = { evidence: true, ...reportSelection };
  const found = await db.prisma.report.findUnique({ select, where: { reportId } });
  return found === null ? undefined : withEvidence(found);
}

const withEvidence = <Selected extends { readonly evidence: unknown }>(selected: Selected) => {
  const { evidence: _, ...report } = fromPrisma(selected);
  // Only `lockMessage` makes it.
  return { ...report, evidence: selected.evidence as Evidence | null };
};

/** Resolves a report, or opens it again, which removes its resolution. */
export async function resolveReport(
  writer: Writer,
  reportId: string,
  { status, resolution }: { status: "open" | "resolved"; resolution: string | undefined },
  now: number,
): Promise<ReportRow> {
  const [updated] = await writeLocked(
    writer,
    [lockReport, [reportId]],
    [resolve, [reportId, status, resolution ?? null, now]],
  );
  return updated ?? rejectUnknownReport(reportId);
}

/** How long the copy of a message stays after its report was resolved. */
const evidenceMs = 30 * 86_400_000;
const reportsPerSweep = 500;

/** Removes some of the copies whose time has come, and returns whether there may be more of them. */
export async function sweepEvidence(db: Db, now: number): Promise<boolean> {
  const swept = await db.query(removeEvidence, [now - evidenceMs, reportsPerSweep]);
  return swept.length === reportsPerSweep;
}

export async function removeReports(db: Db, channelPk: number): Promise<void> {
  await db.query(removeOfChannel, [channelPk]);
}

/** Removes the id of a deleted user from reports, because a new user can get it. Erasures find the reports by the key. */
export async function forgetReportedUsers(db: Db, userPks: readonly number[]): Promise<void> {
  await db.query(forgetUser, [userPks]);
}

function rejectUnknownReport(reportId: string): never {
  throw new ServiceError("report_not_found", `There is no report ${reportId}.`);
}

const lockChannel: Statement<{ pk: number }> = {
  name: "reports.lock-channel",
  text: "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL FOR KEY SHARE",
};

const findSender: Statement<{ userId: string }> = {
  name: "reports.find-sender",
  text: `SELECT u.user_id AS "userId" FROM channels c
    JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    JOIN users u ON u.pk = m.sender_pk AND u.deleted_at IS NULL
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL`,
};

const evidence = `jsonb_strip_nulls(jsonb_build_object('content', NULLIF(${selectContent("m")}, ''), 'file_name', m.file->>'name',
      'attachments', jsonb_path_query_array(m.attachments, '$[*].name'), 'created_at', m.created_at))`;

const lockMessage: Statement<ReportedMessage> = {
  name: "reports.lock-message",
  text: `SELECT m.sender_pk AS "senderPk", ${evidence} AS evidence FROM channels c JOIN messages m ON m.channel_pk = c.pk
      AND m.created_at = $2 AND m.pk = $3
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL FOR KEY SHARE OF m`,
};

/** Two concurrent reports of one reporter are stored one after the other. */
const lockReports = defineLock("reports.lock-reports", "'reports of ' || $1::bigint");

const findOpen: Statement<ReportRow> = {
  name: "reports.find-open",
  text: `SELECT ${reportColumns} FROM reports
    WHERE reporter_pk = $1 AND channel_pk = $2 AND message_id = $3 AND reported_pk IS NOT DISTINCT FROM $4::bigint
      AND status = 'open' ORDER BY pk LIMIT 1`,
};

// The event has no channel: the order of events in a channel comes from FOR NO KEY UPDATE of its row, which is not taken here.
const aboutReport = { channelId: '"channelId"', detail: `jsonb_build_object('report_id', "reportId")` };

const insert: Statement<ReportRow> = {
  name: "reports.create",
  text: `WITH created AS (
      INSERT INTO reports (report_id, channel_pk, channel_id, message_id, message_sender_pk, reported_pk,
        reported_user_id, reporter_pk, reporter_user_id, reason, created_at, updated_at, evidence)
      VALUES ('rep_' || replace(gen_random_uuid()::text, '-', ''), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::bigint, $10::bigint, $11::jsonb)
      RETURNING ${reportColumns}
    ), emitted AS (${emit("report.created", aboutReport, "created")})
    SELECT * FROM created`,
};

const lockReport: Statement<{ pk: number }> = {
  name: "reports.lock",
  text: "SELECT pk FROM reports WHERE report_id = $1 FOR NO KEY UPDATE",
};

const resolve: Statement<ReportRow> = {
  name: "reports.resolve",
  text: `WITH before AS (
      SELECT pk AS old_pk,
        (status, resolution) IS DISTINCT FROM ($2::text, CASE WHEN $2::text = 'resolved' THEN $3::text END) AS is_changed
      FROM reports WHERE report_id = $1
    ), updated AS (
      UPDATE reports SET status = $2::text, resolution = CASE WHEN $2::text = 'resolved' THEN $3::text END,
        updated_at = CASE WHEN is_changed THEN GREATEST($4::bigint, updated_at + 1) ELSE updated_at END
      FROM before WHERE pk = old_pk RETURNING is_changed, ${reportColumns}
    ), emitted AS (${emit("report.resolved", aboutReport, "updated WHERE is_changed AND status = 'resolved'")})
    SELECT ${nameList("updated", reportFields)} FROM updated`,
};

const removeEvidence: Statement<unknown> = {
  name: "reports.remove-evidence",
  text: `UPDATE reports SET evidence = NULL WHERE pk IN (
      SELECT pk FROM reports WHERE evidence IS NOT NULL AND status = 'resolved' AND updated_at <= $1 ORDER BY updated_at LIMIT $2
    ) RETURNING 1`,
};

const removeOfChannel: Statement<unknown> = {
  name: "reports.remove-of-channel",
  text: "DELETE FROM reports WHERE channel_pk = $1 RETURNING 1",
};

const forgetUser: Statement<unknown> = {
  name: "reports.forget-user",
  text: `UPDATE reports SET
      reported_user_id = CASE WHEN reported_pk = ANY ($1::bigint[]) THEN NULL ELSE reported_user_id END,
      reporter_user_id = CASE WHEN reporter_pk = ANY ($1::bigint[]) THEN NULL ELSE reporter_user_id END
    WHERE pk IN (SELECT pk FROM reports WHERE reported_pk = ANY ($1::bigint[]) UNION SELECT pk FROM reports WHERE reporter_pk = ANY ($1::bigint[]))
    RETURNING 1`,
};
