import { type Field, type Row, selectList } from "../../db/row";

export const reportSelection = {
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
export const reportFields = Object.keys(reportSelection);
export type ReportRow = Row<"Report", keyof typeof reportSelection>;
export const reportColumns = selectList(reportFields);
