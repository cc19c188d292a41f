import { ParseError } from "../errors/errors";
import { transfer } from "../errors/fetch-failure";
import { isByteStream, raceSignal } from "../platform";
import { createApiError } from "../transport/api-error";
import { Attempts } from "../transport/attempt";
import type { CallDeps } from "../transport/call";
import { createFailure, isMistake } from "../transport/failure";
import type { OutgoingRequest } from "../transport/request";
import { readText } from "../transport/response";

/** The server sends something every ten seconds. */
export const maxSilenceMs = 30_000;

/** The response cannot be read as it arrives. */
export class UnreadableStream extends ParseError {}

/**
 * The text of a response that does not end, as it arrives. If the server is silent for too long, the connection is
 * closed. Throws the error of the service when it rejects the request. `onOpen` is called when it has accepted it.
 */
export async function* openStream(
  deps: CallDeps,
  request: OutgoingRequest,
  failures: number,
  controller: AbortController,
  onOpen: () => void,
): AsyncGenerator<string, void, undefined> {
  const { operation, secrets } = request;
  const { signal } = controller;
  let body: unknown;
  const attempts = new Attempts(request, deps, async (response) => {
    body = response.body;
    return response.status === 200 ? "" : readText(response, request);
  });
  attempts.count = failures;
  let timer = setTimeout(() => controller.abort(), maxSilenceMs);
  try {
    const response = await attempts.send(signal).catch((error: unknown) => {
      throw isMistake(error) ? createFailure(error, request, attempts) : error;
    });
    if (response.status !== 200) throw createApiError(response);
    const type = response.headers.get("content-type") ?? "";
    if (!/^text\/event-stream\b/.test(type))
      throw new ParseError("parse", `${operation}: the response is no stream of events.`, { operation });
    if (!isByteStream(body)) {
      const message = `${operation}: this fetch has no body that can be read as it arrives. Use \`transport: "poll"\`.`;
      throw new UnreadableStream("parse", message, { operation });
    }
    onOpen();
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await raceSignal(
        transfer(() => reader.read(), secrets),
        signal,
      );
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
