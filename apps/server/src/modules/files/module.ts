import type { Module } from "../../chat/module";
import { type FileDeps, fileHandlers } from "./handlers";
import { eraseFiles } from "./sweep-store";

/** Its job needs the storage, so `app/jobs` lists it. */
export const files = {
  handlers: (deps: FileDeps) => ({ files: fileHandlers(deps) }),
  eraseRest: eraseFiles,
} satisfies Module;
