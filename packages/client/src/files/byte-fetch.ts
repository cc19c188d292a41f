import { type ByteStream, type Fetch, isByteStream, type ResponseLike, type Signal } from "../platform";
import type { Source } from "./source";

/** Called with the number of bytes sent so far, after each part. It starts again with each attempt. */
export type OnProgress = (sentBytes: number) => void;

/**
 * A `fetch` that sends the bytes of a source with exactly these headers. Browsers report the progress of an upload only through
 * `XMLHttpRequest`.
 */
export function createByteFetch(
  fetch: Fetch,
  headers: Readonly<Record<string, string>>,
  { body, size }: Source,
  onProgress: OnProgress | undefined,
): Fetch {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  // It would send a stream as the text "[object ReadableStream]".
  if (onProgress !== undefined && XMLHttpRequest !== undefined && !isByteStream(body))
    return (url, { method, signal }) =>
      sendByXhr(new XMLHttpRequest(), { method, url, headers, body, signal, onProgress });
  return (url, { method, redirect, signal }) => {
    const init = { method, redirect, signal };
    // Without a stream, as on a phone, nobody counts.
    if (!isByteStream(body) && (onProgress === undefined || !("stream" in body)))
      return fetch(url, { ...init, headers: { ...headers }, body });
    const stream = isByteStream(body) ? body : (body.stream() as ReadableStream);
    return fetch(url, {
      ...init,
      // Without it, the request would be sent in chunks, which S3 rejects.
      headers: { ...headers, "content-length": String(size) },
      body: onProgress === undefined ? stream : count(stream, onProgress),
      duplex: "half",
    });
  };
}

/** The same bytes, counted as they are read. */
function count(stream: ByteStream, onProgress: OnProgress): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let sentBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done || value === undefined) return controller.close();
        sentBytes += value.byteLength;
        onProgress(sentBytes);
        controller.enqueue(value);
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
}

/** The part of `XMLHttpRequest` that is used. */
interface Xhr {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: unknown): void;
  abort(): void;
}

interface XhrRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: Signal;
  readonly onProgress: OnProgress;
}

function sendByXhr(xhr: Xhr, { method, url, headers, body, signal, onProgress }: XhrRequest) {
  return new Promise<ResponseLike>((resolve, reject) => {
    const abort = () => xhr.abort();
    signal.addEventListener("abort", abort);
    const end = (settle: () => void) => () => {
      signal.removeEventListener("abort", abort);
      settle();
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
    xhr.onload = end(() =>
      resolve({
        status: xhr.status,
        headers: { get: (name) => xhr.getResponseHeader(name) },
        text: async () => xhr.responseText,
      }),
    );
    xhr.onerror = end(() => reject(new TypeError("The upload failed.")));
    xhr.onabort = end(() => reject(signal.reason));
    xhr.send(body);
  });
}
