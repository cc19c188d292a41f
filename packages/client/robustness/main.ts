import { runCases } from "./cases";

// Node, Bun and Deno: takes the URL as an argument and prints the outcomes as one line of JSON.
const outcomes = await runCases(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
process.exit(0);
