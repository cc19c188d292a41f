import type { JobDeps, Module } from "../../chat/module";
import type { JobName } from "../../jobs/run-jobs";
import { type FileDeps, fileHandlers } from "./handlers";
import type { Storage } from "./storage/storage";
import { eraseFiles, removeFilesOfChannel, sweepFiles } from "./sweep-store";

export interface FileJobDeps extends Pick<JobDeps, "db"> {
  /** Absent: there are no files. */
  readonly storage: Storage | undefined;
}

export const files = {
  handlers: (deps: FileDeps) => ({ files: fileHandlers(deps) }),
  jobs: ({ db, storage }: FileJobDeps) =>
    storage === undefined
      ? []
      : [
          // With the duration of a step, the bytes of a file go within a minute after its message.
          {
            name: "removing files" satisfies JobName,
            intervalMs: 20_000,
            step: () => sweepFiles(db, storage),
          },
          { name: "removing cut uploads", step: () => storage.removeCutUploads() },
        ],
  removeChannel: removeFilesOfChannel,
  eraseRest: [eraseFiles],
} satisfies Module;
