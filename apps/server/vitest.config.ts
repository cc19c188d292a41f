import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What `npm test` runs of the races, the properties and the kit: one file of each kind. */
const samples = [
  "test/races/races.test.ts",
  "test/properties/{model,tokens}.test.ts",
  "test/react/conversation.test.ts",
];
/** They wait, make much data, or call everything: docs-samples calls each operation through the SDK in the short tests. */
export const longJourneys = [
  "test/journeys/{live-through-sdk,migration-under-load,one-connection,plans}.test.ts",
  "test/journeys/{presence-over-time,sdk-reference}.test.ts",
];
/** The long tests are files of each kind. `npm run chaos` runs all files of these folders, each night in .github/workflows/nightly.yml. */
const long = [
  "test/journeys/{migration-under-load,one-connection,plans,sdk-reference}.test.ts",
  "test/react/{blocks,history,inbox,phones,storage,tabs}.test.ts",
  "test/races/{blocks,changing-channel,chat,checks,rejections,replies,search,user-events,user-rights}.test.ts",
  "test/properties/{fuzz,naughty-strings,paging,receipts,zones}.test.ts",
  "test/faults/{attacks,backup,database-killed,full-disk,keys-leak,server-killed,webhooks}.test.ts",
  "test/process/{embedded-postgres,load-balancers,pgbouncer,roles,start,testing,tls,upgrade,workers}.test.ts",
  "test/browser/{chat,next,push,sdk-in-browser}.test.ts",
  "test/browser/console/tasks.test.ts",
];

const common = {
  globalSetup: ["test/support/postgres.ts"],
  // Limits for what hangs, not for what is slow: the machine may be busy.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
};

/** In a fresh clone, Vitest knows only the sizes of files. These start first, in this order, or the other workers would wait for them. */
const longest = [
  "contract/contract",
  "journeys/push",
  "journeys/hooks",
  "journeys/privacy",
  "journeys/files",
  "contract/rights",
  "react/conversation",
  "races/races",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
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
          include: long,
          maxWorkers: 3,
        },
      },
    ],
  },
});
