import { defineConfig } from "vitest/config";
import { hasPgbouncer } from "./test/support/pgbouncer";
import { longJourneys } from "./vitest.config";

// Everything that takes long, and the long form of the races, faults and properties: one file after another, with a table at the end.
process.env.MADANG_CHAOS = "long";

const serial = {
  testTimeout: 1_800_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
  fileParallelism: false,
};

/** They assert durations, besides the races, faults and properties. */
const timed = [
  "test/journeys/{console-session,listeners}.test.ts",
  "src/{db/migrations/migrate,modules/events/live/listener-limit,modules/webhooks/delivery/host-names}.test.ts",
];

const direct = {
  ...serial,
  name: "chaos",
  include: [
    "test/races/**/*.test.ts",
    "test/faults/**/*.test.ts",
    "test/properties/**/*.test.ts",
    "test/{react,process,browser}/**/*.test.ts",
    ...longJourneys,
    ...timed,
  ],
  globalSetup: ["test/support/postgres.ts", "test/support/print-table.ts"],
};

/** The short form of the races, and the interactions, through PgBouncer. */
const pooled = {
  ...serial,
  name: "pooler",
  include: ["test/contract/contract.test.ts", "test/races/**/*.test.ts"],
  globalSetup: ["test/support/pooled-postgres.ts"],
  env: { MADANG_CHAOS: "" },
  sequence: { groupOrder: 1 },
};

/** The image and compose.yaml, where Podman or Docker runs. */
const containers = {
  ...serial,
  name: "containers",
  include: ["test/containers/**/*.test.ts"],
  globalSetup: ["test/support/postgres.ts"],
  hookTimeout: 1_800_000,
  sequence: { groupOrder: 2 },
};

if (!hasPgbouncer) process.stdout.write("PgBouncer is not installed: the run through it is skipped.\n");

export default defineConfig({
  test: {
    projects: [{ test: direct }, ...(hasPgbouncer ? [{ test: pooled }] : []), { test: containers }],
  },
});
