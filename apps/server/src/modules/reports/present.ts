import type { ReportRow } from "./store";

export function presentReport(report: ReportRow) {
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
    created_at: report.createdAt,
    updated_at: report.updatedAt,
  };
}
