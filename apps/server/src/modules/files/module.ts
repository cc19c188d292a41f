import type { Module } from "../../chat/module";
import { type FileDeps, fileHandlers } from "./handlers";
import { eraseFiles } from "./sweep-store";

/** Its jobs are in `jobs.ts`. */
export const files = {
  handlers: (deps: FileDeps) => ({ files: fileHandlers(deps) }),
  eraseRest: eraseFiles,
} satisfies Module;
