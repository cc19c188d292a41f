import type { ReportWithEvidence } from "./store";

/** The copy of the message is for the application: a user who reports gets none. */
export function presentReport({ evidence, ...report }: ReportWithEvidence) {
  return {
    report_id: report.reportId,
    channel_id: report.channelId,
    ...(report.messageId !== null && { message_id: report.messageId }),
    ...(report.reportedUserId !== null && { reported_user_id: report.reportedUserId }),
    ...(report.reporterUserId !== null && { reporter_user_id: report.reporterUserId }),
    reason: report.reason,
    // A check constraint allows nothing else.
    status: report.status as "open" | "resolved",
    ...(report.resolution !== null && { resolution: report.resolution }),
    ...(evidence != null && { reported: evidence }),
    created_at: report.createdAt,
    updated_at: report.updatedAt,
  };
}
