/** So many requests in so many seconds. */
export interface RatePolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** Reads a policy such as `600/60s`; nothing where it is written otherwise. */
export function parsePolicy(text: string): RatePolicy | undefined {
  const [, requests, seconds] = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,4})s$/.exec(text) ?? [];
  return requests === undefined || seconds === undefined
    ? undefined
    : { requests: Number(requests), seconds: Number(seconds) };
}
