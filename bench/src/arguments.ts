import { parseArgs } from "node:util";

export interface Arguments {
  readonly isQuick: boolean;
  /** Measures cost against the size of the database, and draws it. */
  readonly isGrowth: boolean;
  /** Measures what is no single operation: start, deletion of a long history, workers, look-ups beside exports. */
  readonly isExtras: boolean;
  /** Watches the server's memory under an hour's worth of export pages. */
  readonly isMemory: boolean;
  /** Loads Parse Server beside the server. */
  readonly isPeers: boolean;
  /** Puts what was measured into docs/performance.md. */
  readonly isWritingDocs: boolean;
  /** Only operations whose id begins with one of these; all when there is none. */
  readonly only: readonly string[];
  /** The operation whose CPU profile is kept. */
  readonly profile: string | undefined;
  readonly output: string;
  /** The built server, when another one than that of this checkout is meant. */
  readonly server: string | undefined;
}

export const usage = `npm run bench -- [options]
  --quick          a shorter history and shorter runs: less than three minutes
  --growth         cost against 1,000 to 1,000,000 users and messages, with a chart (growth.svg)
  --extras         cold start, look-ups beside exports, two workers, deletion of the long history
  --memory         the server's memory under an hour's worth of export pages
  --peers          Parse Server on the same PostgreSQL, with the nearest operations
  --write-docs     puts the tables of this run, and the chart, into docs/performance.md
  --only IDS       only operations whose id begins so, e.g. --only users,exports.1000
  --profile ID     load only this operation, and keep a CPU profile of the server beside the results
  --output FOLDER  where results.json and profiles go (bench/results)
  --server FILE    another build of the server, to compare two of them
`;

export function readArguments(line: readonly string[], results: string): Arguments {
  const { values } = parseArgs({
    args: [...line],
    options: {
      quick: { type: "boolean", default: false },
      extras: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      memory: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      "write-docs": { type: "boolean", default: false },
      only: { type: "string", default: "" },
      profile: { type: "string" },
      output: { type: "string", default: results },
      server: { type: "string" },
    },
  });
  const only = values.only.split(",").filter((id) => id !== "");
  const { profile, output, server } = values;
  return {
    isQuick: values.quick,
    isGrowth: values.growth,
    isExtras: values.extras,
    isMemory: values.memory,
    isPeers: values.peers,
    isWritingDocs: values["write-docs"],
    only,
    profile,
    output,
    server,
  };
}
