/** What goes wrong with one request. */
export type Fault =
  | {
      /** The service refuses: `rate_limited`, `unavailable`, `internal` … */
      readonly kind: "refuse";
      readonly status: number;
      readonly code: string;
      /** Sent as `Retry-After`. */
      readonly retryAfterSeconds?: number;
    }
  /** No answer comes, and the work is not done. */
  | { readonly kind: "reset" }
  /** The work is done, and its answer breaks off. */
  | { readonly kind: "cut" }
  /** The work is done, and the rest of its answer never comes. */
  | { readonly kind: "stall" };

/** The body of an answer, as far as the fault lets it through. */
export function readFaulty(text: string, fault: Fault | undefined, signal: AbortSignal): Promise<string> {
  if (fault?.kind === "cut") return Promise.reject(new TypeError("terminated"));
  if (fault?.kind !== "stall") return Promise.resolve(text);
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail);
  });
}
