import * as z from "zod";
import { report as reportExample } from "./example-data";
import { timestamp } from "./fields";

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
    reported_user_id: z
      .string()
      .optional()
      .meta({ description: "The reported user. Absent if none is reported, or if the user was deleted." }),
    reporter_user_id: z
      .string()
      .optional()
      .meta({ description: "Who reported it. Absent if that is unknown, or if the user was deleted." }),
    reason: z.string().meta({ description: "Why it was reported." }),
    status: reportStatus.meta({ description: "`open` until a moderator resolves it." }),
    resolution: z
      .string()
      .optional()
      .meta({ description: "What a moderator decided. Absent if it was not given." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Report", description: "A report for moderators. It has no copy of the message." });
