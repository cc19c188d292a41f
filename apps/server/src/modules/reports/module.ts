import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { eraseReports } from "./erase-store";
import { reportHandlers } from "./handlers";
import { forgetReportedUser, removeReports } from "./store";

export const reports = {
  handlers: (deps: ChatDeps) => ({ reports: reportHandlers(deps) }),
  removeChannel: removeReports,
  removeUser: forgetReportedUser,
  eraseRest: [eraseReports],
} satisfies Module;
