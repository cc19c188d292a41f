import type { Module } from "../../chat/module";
import type { FileDeps } from "./deps";
import { eraseFiles } from "./erase-store";
import { fileHandlers } from "./handlers";

/** Its job needs the storage, so `app/jobs` lists it. */
export const files = {
  handlers: (deps: FileDeps) => ({ files: fileHandlers(deps) }),
  eraseRest: eraseFiles,
} satisfies Module;
