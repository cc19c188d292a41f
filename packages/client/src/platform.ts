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
  /** A `ReadableStream` of bytes. Listening to events needs it; other bodies are read by `text` where there is none. */
  readonly body?: unknown;
}

/** What the client passes to `fetch` besides the address. */
export interface FetchInit {
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  method: string;
  /** The headers, the key included. */
  headers: Record<string, string>;
  /** JSON, where the request has a body, or the bytes of a file. */
  body?: string | BlobLike | Stream;
  /** Beside a stream. */
  duplex?: "half";
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

/** `Blob`. */
export type BlobLike = typeof globalThis extends { Blob: { prototype: infer Known } }
  ? Known & {
      /** That of a file. */
      readonly name?: string;
    }
  : {
      /** The size in bytes. */
      readonly size: number;
      /** The MIME type, or an empty text. */
      readonly type: string;
      /** The name, of a `File`. */
      readonly name?: string;
      /** Reads the bytes. */
      stream(): unknown;
    };

/** A `fetch`: the global one, one with its own proxy or connection pool, or that of a test. */
export type Fetch = (url: string, init: FetchInit) => Promise<ResponseLike>;

/** `ReadableStream`. */
export type Stream = typeof globalThis extends { ReadableStream: { prototype: infer Known } }
  ? Known
  : AsyncIterable<unknown>;

/** The used part of a `ReadableStream`. */
export interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
}

export function isByteStream(body: unknown): body is ByteStream {
  return typeof body === "object" && body !== null && "getReader" in body;
}

/** Whether the global `fetch` gives no body that can be read as it arrives, as in React Native. */
export function hasNoStreams(): boolean {
  const { Response } = globalThis as { Response?: { prototype: object } };
  return Response !== undefined && !("body" in Response.prototype);
}

// Listeners that are removed again instead of `AbortSignal.any`, which leaves a little memory behind on a signal that
// lives as long as the program.

/** Aborts a controller when a signal is aborted, if there is one, until the returned function is called. */
export function linkSignal(signal: Signal | undefined, controller: AbortController): () => void {
  return signal ? onAbort(signal, () => controller.abort(signal.reason)) : () => undefined;
}

/** Waits for work that may ignore its signal; rejects as soon as the signal is aborted. */
export function raceSignal<Value>(work: Promise<Value>, signal: Signal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}

/** `AbortSignal.throwIfAborted`, which apps on phones do not have. */
export function throwIfAborted(signal: Signal): void {
  if (signal.aborted) throw signal.reason;
}

function onAbort(signal: Signal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}
