#!/usr/bin/env node
import { explainOldNode } from "./process/node-version";

const explanation = explainOldNode(process.versions.node);
if (explanation === undefined) {
  // Imported only now: an older Node does not have all modules that the command imports.
  await import("./command");
} else {
  process.stderr.write(`${explanation}\n`);
  process.exitCode = 1;
}
