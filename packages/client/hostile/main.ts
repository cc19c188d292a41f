import { runCases } from "./report";

// Node, Bun and Deno: the address comes as an argument, the outcome goes out as one line of JSON.
const outcomes = await runCases(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
process.exit(0);
