/** The part of an AbortSignal that is used, for programs compiled without web types. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The part of a fetch response that is used. */
export interface ResponseLike {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, by names in any case. */
  readonly headers: { get(name: string): string | null };
  /** Reads the whole body. */
  text(): Promise<string>;
  /** A `ReadableStream` of bytes. Only listening to events needs it. */
  readonly body?: unknown;
}

/** What the client passes to `fetch` besides the address. */
export interface FetchInit {
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  method: string;
  /** The headers, the key included. */
  headers: Record<string, string>;
  /** JSON, where the request has a body. */
  body?: string;
  /** Redirects are not followed. */
  redirect: "manual";
  /** Ends the attempt. */
  signal: Signal;
}

// The platform's own types where the compiler of the consumer knows them; nothing here needs the DOM library.

/** `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : SignalLike;

/** A `fetch`: the global one, one with its own proxy or connection pool, or that of a test. */
export type Fetch = (url: string, init: FetchInit) => Promise<ResponseLike>;

/** `ReadableStream`. */
export type Stream = typeof globalThis extends { ReadableStream: { prototype: infer Known } }
  ? Known
  : AsyncIterable<unknown>;
