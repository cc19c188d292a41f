import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { newReport, report as reportExample, resolvedReport } from "./examples/data";
import {
  assignedId,
  channelId,
  cursor,
  messageId,
  nextCursor,
  pageSize,
  selfRule,
  timestamp,
  userId,
} from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { reason } from "./moderation";
import { example, metadata } from "./operation-metadata";
import { c, nothing } from "./router";
import { text } from "./text";

export const reportStatus = z.enum(["open", "resolved"]);

export const report = z
  .object({
    report_id: z
      .string()
      .meta({ description: "The id, assigned by the service.", examples: [reportExample.report_id] }),
    channel_id: z.string().meta({ description: "The channel.", examples: ["room_1"] }),
    message_id: z.string().optional().meta({
      description: "The reported message, which may have been deleted since. Absent if none is reported.",
    }),
    reported_user_id: z.string().optional().meta({
      description:
        "The reported user, otherwise the sender of the message. Absent if there is none, or if the user was deleted.",
    }),
    reporter_user_id: z
      .string()
      .optional()
      .meta({ description: "Who reported it. Absent if that is unknown, or if the user was deleted." }),
    reason: z.string().meta({ description: "Why it was reported." }),
    reported: z
      .object({
        content: z.string().optional().meta({ description: "The text. Absent if there was none." }),
        file_name: z.string().optional().meta({ description: "The name of the file of a file message." }),
        attachments: z.array(z.string()).optional().meta({ description: "The names of the attachments." }),
        created_at: timestamp,
      })
      .optional()
      .meta({
        id: "ReportedMessage",
        description:
          "What the message was when it was reported, for keys of the application alone. It goes 30 days after the report was resolved, with the channel, and when its sender is erased.",
      }),
    status: reportStatus.meta({ description: "`open` until a moderator resolves it." }),
    resolution: z
      .string()
      .optional()
      .meta({ description: "What a moderator decided. Absent if it was not given." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Report", description: "A report for moderators." });

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
