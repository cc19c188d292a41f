import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { presentReport } from "./present";
import { createReport, findReport, listReports, requireReport, resolveReport } from "./store";

const scope = "reports";

export const reportHandlers = ({ now, cursors }: ChatDeps) =>
  defineHandlers(contract.reports, {
    create: async ({ body, writer, acting, db }) => {
      const report = {
        channelId: body.channel_id,
        messageId: body.message_id,
        reportedUserId: body.reported_user_id,
        reporterUserId: body.reporter_user_id,
        reason: body.reason,
      };
      const { report: stored, isCreated } = await createReport(writer, report, now());
      const shown = acting === undefined ? await findReport(db, stored.reportId) : undefined;
      // The channel may have been deleted meanwhile, and the report with it.
      return { status: isCreated ? 201 : 200, body: presentReport(shown ?? stored) };
    },
    list: async ({ query, db }) => {
      const pageQuery = openPageQuery<{ status?: string | undefined }>(
        cursors,
        scope,
        query,
        limits.reportPage,
      );
      const { filters, limit, after = newest } = pageQuery;
      const found = await listReports(db, { status: filters.status, before: after, count: limit + 1 });
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, (report) => report);
      return { status: 200, body: { reports: items.map(presentReport), ...next } };
    },
    get: async ({ params, db }) => ({
      status: 200,
      body: presentReport(await requireReport(db, params.report_id)),
    }),
    resolve: async ({ params: { report_id: reportId }, body: { status, resolution }, writer, db }) => {
      const resolved = await resolveReport(writer, reportId, { status, resolution }, now());
      return { status: 200, body: presentReport((await findReport(db, reportId)) ?? resolved) };
    },
  });
