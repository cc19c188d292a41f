import { mergeHandlers } from "../call/handlers";
import { chatHandlers } from "../chat/handlers";
import { chatJobs } from "../chat/jobs";
import type { JobDeps, Module, Removals } from "../chat/module";
import type { Job } from "../jobs/run-jobs";
import { audit } from "../modules/audit/module";
import { blocks } from "../modules/blocks/module";
import { checks } from "../modules/checks/module";
import { events } from "../modules/events/module";
import { exportsModule } from "../modules/exports/module";
import { type FileJobDeps, files } from "../modules/files/module";
import { hooks } from "../modules/hooks/module";
import { importsModule } from "../modules/imports/module";
import { inbox } from "../modules/inbox/module";
import { keys } from "../modules/keys/module";
import { moderation } from "../modules/moderation/module";
import { pins } from "../modules/pins/module";
import { presence } from "../modules/presence/module";
import { privacy } from "../modules/privacy/module";
import { push } from "../modules/push/module";
import { reactions } from "../modules/reactions/module";
import { reports } from "../modules/reports/module";
import { retention } from "../modules/retention/module";
import { search } from "../modules/search/module";
import { signalsModule } from "../modules/signals/module";
import { type StreamingJobDeps, streaming } from "../modules/streaming/module";
import { tokens } from "../modules/tokens/module";
import { usage } from "../modules/usage/module";
import { webhooks } from "../modules/webhooks/module";
import type { Deps } from "./deps";

/** All modules, in any order. */
const modulesWithHandlers = [
  audit,
  blocks,
  checks,
  events,
  exportsModule,
  files,
  hooks,
  importsModule,
  inbox,
  keys,
  moderation,
  pins,
  presence,
  privacy,
  push,
  reactions,
  reports,
  retention,
  search,
  signalsModule,
  streaming,
  tokens,
  usage,
  webhooks,
];

export const modules: readonly Module[] = modulesWithHandlers;

/** The handlers of every operation, in the shape of the contract. */
export const createHandlers = (deps: Deps) =>
  mergeHandlers([chatHandlers(deps), ...modulesWithHandlers.map((module) => module.handlers(deps))]);

/** What the jobs of the chat and of all modules need. */
export type AllJobDeps = JobDeps & FileJobDeps & StreamingJobDeps;

/** All jobs of the chat and of modules. */
export const createJobs = (deps: AllJobDeps): Job[] => [
  ...chatJobs(deps),
  ...modulesWithHandlers.flatMap((module): readonly Job[] => ("jobs" in module ? module.jobs(deps) : [])),
];

/** What all modules do when a channel, a user or a person goes. */
export const removals: Removals = {
  async removeChannel(db, channelPk) {
    for (const module of modules) await module.removeChannel?.(db, channelPk);
  },
  async removeUsers(tx, userPks) {
    for (const module of modules) await module.removeUsers?.(tx, userPks);
  },
  personalRows: modules.flatMap(({ personalRows = [] }) => personalRows),
  eraseRest: modules.flatMap(({ eraseRest = [] }) => eraseRest),
};
