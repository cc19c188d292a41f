/** The max number of requests in a number of seconds. */
export interface RatePolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** Parses a policy such as `600/60s`. Returns undefined if it is invalid. */
export function parsePolicy(text: string): RatePolicy | undefined {
  const [, requests, seconds] = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,4})s$/.exec(text) ?? [];
  return requests === undefined || seconds === undefined
    ? undefined
    : { requests: Number(requests), seconds: Number(seconds) };
}
