import { compareRounds } from "../load/compare";
import type { Expectation, Measured, Measurement, Round, Row } from "../results/row";
import { quantile } from "../results/statistics";
import type { Target } from "../servers/target";
import { createWork, type Work } from "./sdk-work";

interface Comparison extends Expectation {
  readonly count: number;
  readonly sdk: Work;
  readonly bare: Work;
}

/** The processor time of the calling process for the same requests, through the SDK and with `fetch`. */
export const sdkMeasurements = (target: Target): Measurement[] =>
  comparisonsOf(target).map((comparison) => ({
    ...comparison,
    measure: async () => [await compareWithFetch(comparison, target)],
  }));

const callCount = 1_000;
/** Prefetching saves time, but no processor time. */
const throughputRatio = ({ subject, baseline }: Round) => subject.perSecond / baseline.perSecond;

function comparisonsOf(caller: Target): Comparison[] {
  const { sends, creates, pages } = createWork(caller);
  const pageCount = Math.min(60, (0.4 * caller.settings.sizes.messages) / 1_000);
  return [
    { title: "SDK: send", count: callCount, ...sends },
    { title: "SDK: create a user", count: callCount, ...creates },
    { title: "SDK: export pages of 1,000", count: pageCount, ...pages(0, 0) },
    {
      title: "SDK: pages per second, 3 ms of work each",
      ratioOf: throughputRatio,
      count: pageCount,
      ...pages(1, 3),
    },
  ];
}

async function compareWithFetch(comparison: Comparison, { settings }: Target): Promise<Row> {
  const { count, sdk, bare } = comparison;
  // Node compiles hot code, which is not measured.
  await measureWork(sdk, count);
  await measureWork(bare, count);
  return compareRounds(
    () => measureWork(sdk, count),
    () => measureWork(bare, count),
    comparison,
    settings,
  );
}

async function measureWork(work: Work, count: number): Promise<Measured> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { durations, failed } = await work(count);
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (1_000 * count) / (performance.now() - startedAt),
    p99Ms: quantile(durations, 0.99),
    nodeMs: (user + system) / 1_000 / count,
    postgresMs: 0,
    loadMs: 0,
    othersMs: 0,
    otherProcessors: 0,
    failed,
  };
}
