import { type Field, type Row, selectList } from "../../db/row";

export const reportFields = [
  "reportId",
  "channelId",
  "messageId",
  "reportedUserId",
  "reporterUserId",
  "reason",
  "status",
  "resolution",
  "createdAt",
  "updatedAt",
] as const satisfies readonly Field<"Report">[];
export type ReportRow = Row<"Report", (typeof reportFields)[number]>;
export const reportColumns = selectList(reportFields);
