const [second, minute, hour] = [1_000, 60_000, 3_600_000];

const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** How far a delay may differ, so that the retries of many events are not sent at the same moment. */
const jitter = 0.2;

/** When to try again after so many attempts failed, in milliseconds from now. Undefined: the event is abandoned. */
export function retryDelay(failedAttempts: number, random: () => number): number | undefined {
  const delay = delays[failedAttempts - 1];
  return delay && Math.round(delay * (1 - jitter + 2 * jitter * random()));
}
