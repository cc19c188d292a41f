import { existsSync } from "node:fs";
import { join } from "node:path";
import { startNode } from "./start-node.mjs";
import { root } from "./step.mjs";

/** Starts the built server with the settings of `.env`. */
export function startServer(nodeOptions = []) {
  const envFile = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  return startNode([...nodeOptions, ...envFile, "apps/server/dist/main.js", "start", "--migrate"]);
}
