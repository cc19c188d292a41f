import { parseArgs } from "node:util";

export const usage = `npm run bench -- [options]
  --quick          a shorter history and shorter rounds: about ten minutes
  --growth         cost against 1,000 to 1,000,000 users and messages
  --events         the latency of events, 1,000 streams of a key, and 1,000 of users
  --audit          sends with and without an audit log
  --hooks          throughput of sends that a hook checks, compared with an ideal
  --presence       what presence costs while 1,000 users come and go
  --import         imports compared with COPY, requests of 8 MB, and export, verify and import of the command line
  --search         searches of a channel of 1,000,000 messages and of a user with 300 channels, and the size of the index
  --streaming      100 writers with 50 appends a second each, the same by edits, and 1,000 signals a second
  --citus          what each node of a Citus cluster spends on a request (MADANG_TEST_CITUS: its programs)
  --write-docs     writes the tables of this run to docs/measurements
  --schemas N      the number of schemas of --citus (8)
  --only IDS       only operations whose id starts with one of these, e.g. --only users,exports.1000
  --messages N     the length of the history
  --connections N  how many connections send requests (16)
  --against FILE   compares with another build of the server (its dist/main.js) instead of the baseline
  --profile ID     loads only this operation, and writes a CPU profile of the server
  --output FOLDER  where results and profiles go (bench/results)
`;

export type Options = ReturnType<typeof readOptions>;

export function readOptions(line: readonly string[], results: string) {
  const { values } = parseArgs({
    args: [...line],
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      events: { type: "boolean", default: false },
      audit: { type: "boolean", default: false },
      hooks: { type: "boolean", default: false },
      presence: { type: "boolean", default: false },
      import: { type: "boolean", default: false },
      search: { type: "boolean", default: false },
      streaming: { type: "boolean", default: false },
      citus: { type: "boolean", default: false },
      "write-docs": { type: "boolean", default: false },
      only: { type: "string", default: "" },
      schemas: { type: "string", default: "8" },
      messages: { type: "string" },
      connections: { type: "string" },
      against: { type: "string" },
      profile: { type: "string" },
      output: { type: "string", default: results },
    },
  });
  const { only, messages, connections, ...rest } = values;
  return {
    ...rest,
    isChosen: chooserOf(only.split(",").filter((id) => id !== "")),
    messages: messages === undefined ? undefined : Number(messages),
    connections: connections === undefined ? undefined : Number(connections),
  };
}

/** Whether an operation is to be measured: all are, if none is named. */
const chooserOf = (starts: readonly string[]) => (id: string) =>
  starts.length === 0 || starts.some((start) => id.startsWith(start));
