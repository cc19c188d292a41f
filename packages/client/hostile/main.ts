import { runCases } from "./report";

// Node, Bun and Deno: the address is an argument, the outcomes are printed as one line of JSON.
const outcomes = await runCases(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
process.exit(0);
