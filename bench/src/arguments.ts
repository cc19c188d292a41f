import { parseArgs } from "node:util";

export interface Arguments {
  readonly isQuick: boolean;
  /** Measures cost against the size of the database, and draws it. */
  readonly isGrowth: boolean;
  /** Measures what is no single operation: start, deletion of a long history, workers, look-ups beside exports. */
  readonly isExtras: boolean;
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
      only: { type: "string", default: "" },
      profile: { type: "string" },
      output: { type: "string", default: results },
      server: { type: "string" },
    },
  });
  const only = values.only.split(",").filter((id) => id !== "");
  const { quick: isQuick, growth: isGrowth, extras: isExtras, profile, output, server } = values;
  return { isQuick, isGrowth, isExtras, only, profile, output, server };
}
