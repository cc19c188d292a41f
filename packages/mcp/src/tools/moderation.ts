import { readPage } from "../read-page";
import { describePage } from "../result";
import type { Tool } from "../tool";
import { cursor, format, limit, onlyData, parameter, pick, queryOf, text } from "./input";

export const listReports: Tool = {
  name: "madang_list_reports",
  title: "List reports",
  description: `What people reported to moderators, newest first. ${onlyData}`,
  operations: ["reports.list"],
  input: {
    status: parameter("reports.list", "status", "open, or resolved."),
    limit: limit("reports.list"),
    cursor,
    format,
  },
  required: [],
  async run(context, args) {
    const found = await readPage(context, "reports.list", { query: queryOf(args, ["status", "limit"]) });
    return describePage(
      found,
      "reports",
      "madang_read_conversation with around shows what was said; madang_resolve_report ends a report.",
    );
  },
};

export const resolveReport: Tool = {
  name: "madang_resolve_report",
  title: "Resolve a report",
  description: "Ends a report, with what was done about it.",
  operations: ["reports.resolve"],
  input: {
    report_id: parameter("reports.resolve", "report_id", "The id of the report."),
    resolution: parameter("reports.resolve", "resolution", "What was done."),
    format,
  },
  required: ["report_id"],
  async run({ chat, options }, args) {
    const body = { status: "resolved", ...pick(args, ["resolution"]) };
    const report = await chat.request(
      "reports.resolve",
      { path: { report_id: text(args, "report_id") }, body },
      options,
    );
    return { data: Object(report), text: "The report is resolved." };
  },
};

export const restrictUser: Tool = {
  name: "madang_restrict_user",
  title: "Mute or ban a user",
  description:
    "Mutes a participant of a channel (reads, but does not send) or bans a user from it (removes, cannot come back).",
  operations: ["channels.members.mute", "channels.bans.add"],
  input: {
    action: { type: "string", enum: ["mute", "ban"], description: "mute or ban." },
    channel_id: parameter("channels.bans.add", "channel_id", "The channel."),
    user_id: parameter("channels.bans.add", "user_id", "The user."),
    until: parameter(
      "channels.bans.add",
      "until",
      "When it ends, in milliseconds since 1970. Without it: never.",
    ),
    reason: parameter("channels.bans.add", "reason", "Why, for a ban."),
    format,
  },
  required: ["action", "channel_id", "user_id"],
  async run({ chat, options, rights }, args) {
    const path = { channel_id: text(args, "channel_id"), user_id: text(args, "user_id") };
    const [operation, fields] =
      args.action === "mute"
        ? (["channels.members.mute", ["until"]] as const)
        : (["channels.bans.add", ["until", "reason"]] as const);
    if (!rights.permitted.has(operation))
      throw new Error(`The key of this agent does not permit ${operation}.`);
    const done = await chat.request(operation, { path, body: pick(args, fields) }, options);
    return { data: Object(done), text: `The user is ${args.action === "mute" ? "muted" : "banned"}.` };
  },
};
