/** The least of an AbortSignal, for programs whose compiler knows no web types. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The least of a fetch response. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** What the client hands to `fetch` with the address, all of it plain. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "manual";
  signal: Signal;
}

// The platform's own type where the compiler of the consumer knows it; nothing here needs the DOM library.

/** `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : SignalLike;

/** A `fetch`: the global one, one with a proxy or a pool of its own, or one of a test. */
export type Fetch = (url: string, init: FetchInit) => Promise<ResponseLike>;

/** `ReadableStream`. */
export type Stream = typeof globalThis extends { ReadableStream: { prototype: infer Known } }
  ? Known
  : AsyncIterable<unknown>;
