import type { DailyUsage, UsageDailyQuery } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** `chat.usage` */
export class Usage {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Counts what was done on each of the last days, in UTC, oldest first, today included.
   *
   * The counts are at most five seconds old.
   *
   * @param query `days`: 1 to 365, default 30.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { days } = await chat.usage.daily({ days: 7 });
   */
  daily(query: UsageDailyQuery = {}, options?: CallOptions): Promise<DailyUsage> {
    return this.#api.call("usage.daily", { query }, options);
  }
}
