import type { Queryable } from "../../db/db";
import type { Job, JobName } from "../../jobs/run-jobs";
import type { Storage } from "./storage";
import { sweepFiles } from "./sweep-store";

/** They are not in `module.ts`, because only they need the storage. */
export const fileJobs = (db: Queryable, storage: Storage, now: () => number): readonly Job[] => [
  // With the duration of a step, the bytes of a file go within a minute after its message.
  {
    name: "removing files" satisfies JobName,
    intervalMs: 20_000,
    step: () => sweepFiles(db, storage, now()),
  },
  { name: "removing cut uploads", step: () => storage.removeCutUploads() },
];
