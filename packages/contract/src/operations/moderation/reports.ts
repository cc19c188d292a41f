import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { newReport, report as reportExample, resolvedReport } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { report, reportStatus } from "../../resources/report";
import { c, nothing } from "../../router";
import {
  assignedId,
  channelId,
  cursor,
  messageId,
  nextCursor,
  pageSize,
  reason,
  selfRule,
  userId,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { text } from "../../rules/text";

const pathParams = z.object({ report_id: assignedId("The id of a report.", reportExample.report_id) });

export const reports = c.router({
  create: {
    method: "POST",
    path: "/reports",
    summary: "Report a message, a user or a channel",
    description:
      "Adds a report to the queue of the moderators. What it names must exist; a user can name only users who are known in the channel. The report keeps a copy of the message, also when that is changed or deleted. It is removed with its channel, and loses the ids of users who are deleted. While a report of the same message by the same reporter about the same user is open, the response is 200 with that one, and nothing is added.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        channel_id: channelId,
        message_id: messageId.meta({ description: "The message to report." }).optional(),
        reported_user_id: userId.meta({ description: "The user to report." }).optional(),
        reporter_user_id: userId.meta({ description: `The user who reports. ${selfRule}` }).optional(),
        reason,
      })
      .meta({ id: "NewReport", description: "What to report, and why." }),
    responses: {
      200: report,
      201: report,
      ...problems([...bodyErrors, "channel_not_found", "message_not_found", "user_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      selfField: "reporter_user_id",
      examples: {
        requests: example("A message", newReport),
        responses: example("The new report", reportExample),
      },
    }),
  },
  list: {
    method: "GET",
    path: "/reports",
    summary: "List reports",
    description: "The reports of all channels, or those with one status, newest first.",
    query: z.strictObject({
      status: reportStatus.meta({ description: "Only reports with this status." }).optional(),
      limit: pageSize(limits.reportPage).optional(),
      next: cursor.optional(),
    }),
    responses: {
      200: z
        .object({
          reports: z.array(report).meta({ description: "The reports, newest first." }),
          next: nextCursor,
        })
        .meta({
          id: "ReportPage",
          description: "A page of reports. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor"]),
    },
    metadata: metadata({
      sdk: {
        query: "ReportListOptions",
        example:
          'for await (const { report_id, reason } of chat.reports.list({ status: "open" })) console.log(report_id, reason);',
      },
      access: "any_key",
      user: "no",
      examples: {
        query: { status: "open" },
        responses: example("The last page", { reports: [reportExample] }),
      },
    }),
  },
  get: {
    method: "GET",
    path: "/reports/:report_id",
    summary: "Get a report",
    description: "The report with this id.",
    pathParams,
    query: nothing,
    responses: { 200: report, ...problems([...commonErrors, "report_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: { responses: example("The report", reportExample) },
    }),
  },
  resolve: {
    method: "PUT",
    path: "/reports/:report_id",
    summary: "Resolve a report",
    description: "Sets the status, and what was decided. Opening a report again removes its resolution.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        status: reportStatus.meta({ description: "`resolved`, or `open` again." }),
        resolution: text(limits.moderationReason)
          .meta({
            description: "What was decided, 1 to 500 characters. Only with `resolved`.",
            examples: ["The message was deleted."],
          })
          .optional(),
      })
      .refine(({ status, resolution }) => status === "resolved" || resolution === undefined, {
        path: ["resolution"],
        message: "Must be absent if the status is open.",
      })
      .meta({ id: "ReportChange", description: "The new status of a report." }),
    responses: { 200: report, ...problems([...bodyErrors, "report_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      auditedFrom: "changes",
      examples: {
        requests: example("Resolved", { status: "resolved", resolution: resolvedReport.resolution }),
        responses: example("The resolved report", resolvedReport),
      },
    }),
  },
});
