import * as z from "zod";
import { report as reportExample } from "../examples/data";
import { timestamp } from "../rules/fields";

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
