import { existsSync } from "node:fs";
import { join } from "node:path";
import { startNode } from "./start-node.mjs";
import { root } from "./step.mjs";

// Limits the memory for new objects, as in the image.
const nodeFlag = "--max-semi-space-size=16";

/** Starts the built server with the settings of `.env`. */
export function startServer(nodeOptions = []) {
  const envFile = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  return startNode([nodeFlag, ...nodeOptions, ...envFile, "apps/server/dist/main.js", "start", "--migrate"]);
}
