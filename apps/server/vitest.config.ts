import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What `npm test` runs of the races, the properties and the kit: one file of each kind. The others are long. */
const samples = [
  "test/races/{races,user-rights}.test.ts",
  "test/properties/{model,tokens}.test.ts",
  "test/react/conversation.test.ts",
];
const sampled = ["test/{races,properties,react}/*.test.ts"];
/** They wait for ten seconds and more. */
const longJourneys = ["test/journeys/live-through-sdk.test.ts"];
/** With processes, clusters or browsers of their own. */
const long = ["test/{faults,process,browser}/*.test.ts", "test/browser/console/*.test.ts"];

/**
 * What takes long and rarely fails. `npm run chaos` has it, each night in .github/workflows/nightly.yml. The long tests keep a file of
 * each kind: kills of servers, of writers and of PostgreSQL, full disks, restarts, attacks, backups, pages of the console.
 */
const nightlyFaults = [
  "test/faults/{audit,embedded,files,push,streaming,usage}-killed.test.ts",
  "test/faults/{body-memory,clocks,dump,embedded-backup,ended-keys,events,failover,feed-size,idle,long-scan}.test.ts",
  "test/faults/{pipelining,receivers,soak,streams,uploads,user-deletion,waiting-clients}.test.ts",
  "test/races/{batches,events,exports,imports,shared-rows,writes}.test.ts",
];
/** The packing of every package is also in `npm run oldest`. */
export const nightlyPages = [
  "test/process/packing.test.ts",
  "test/browser/console/{appearance,scale}.test.ts",
];

const common = {
  globalSetup: ["test/support/postgres.ts"],
  // Limits for what hangs, not for what is slow: the machine may be busy.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
};

/** In a fresh clone, Vitest knows only the sizes of files. These would start last, and the other workers wait. */
const longest = [
  "contract/contract",
  "react/conversation",
  "journeys/privacy",
  "journeys/files",
  "races/races",
  "journeys/console-session",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    return (await super.sort(files)).toSorted(
      (one, other) => Number(isLongest(other)) - Number(isLongest(one)),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: "short",
          include: [
            "src/**/*.test.ts",
            "test/*.test.ts",
            "test/{contract,journeys}/*.test.ts",
            ...samples,
            "test/faults/short/*.test.ts",
          ],
          exclude: longJourneys,
          // These tests wait about as long as they compute.
          maxWorkers: 3,
          // The files of a worker share its modules: loading them takes longer than most files.
          isolate: false,
        },
      },
      // They read pages, and sources of other packages.
      { test: { ...common, name: "repository", include: ["test/repository/*.test.ts"] } },
      // These tests wait more than they compute.
      {
        test: {
          ...common,
          name: "long",
          include: [...long, ...longJourneys, ...sampled],
          exclude: [...samples, ...nightlyFaults, ...nightlyPages],
          maxWorkers: 2,
        },
      },
    ],
  },
});
