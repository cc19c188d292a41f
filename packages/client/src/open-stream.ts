import type { CallDeps } from "./call";
import type { OutgoingRequest } from "./request";
import type { StreamTools } from "./stream-tools";

/** The used part of a `ReadableStream`. */
interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
}

/** The server sends something every ten seconds. */
const maxSilenceMs = 30_000;

/**
 * The text of a response that does not end, as it arrives. If the server is silent for too long, the connection is
 * closed. Throws the error of the service when it rejects the request.
 */
export async function* openStream(
  deps: CallDeps,
  request: OutgoingRequest,
  failures: number,
  controller: AbortController,
  { Attempts, ParseError, createApiError, raceSignal }: StreamTools,
): AsyncGenerator<string, void, undefined> {
  const { signal } = controller;
  let body: unknown;
  const attempts = new Attempts(request, deps, async (response) => {
    body = response.body;
    return response.status === 200 ? "" : response.text();
  });
  attempts.count = failures;
  let timer = setTimeout(() => controller.abort(), maxSilenceMs);
  try {
    const response = await attempts.send(signal);
    if (response.status !== 200) throw createApiError(response);
    const type = response.headers.get("content-type") ?? "";
    if (!isByteStream(body) || !/^text\/event-stream\b/.test(type))
      throw new ParseError("parse", "events.listen: the response is no stream of events.", {
        operation: request.operation,
      });
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await raceSignal(reader.read(), signal);
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), maxSilenceMs);
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function isByteStream(body: unknown): body is ByteStream {
  return typeof body === "object" && body !== null && "getReader" in body;
}
