import type { ChatDeps } from "../../chat/deps";
import type { JobDeps, Module } from "../../chat/module";
import { eraseReports } from "./erase-store";
import { reportHandlers } from "./handlers";
import { forgetReportedUsers, removeReports, sweepEvidence } from "./store";

export const reports = {
  handlers: (deps: ChatDeps) => ({ reports: reportHandlers(deps) }),
  jobs: ({ db, now }: JobDeps) => [
    { name: "removing copies of reported messages", step: () => sweepEvidence(db, now()) },
  ],
  removeChannel: removeReports,
  removeUsers: forgetReportedUsers,
  eraseRest: [eraseReports],
} satisfies Module;
