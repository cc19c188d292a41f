import type { CallDeps } from "./call";
import type { ChatEvent } from "./generated/types";
import type { ListenOptions, ReceivedEvent } from "./listen-options";
import { openStream } from "./open-stream";
import type { OutgoingRequest } from "./request";
import { parseServerSentEvents } from "./server-sent-events";
import type { StreamTools } from "./stream-tools";

const operation = "events.list";
const minPauseMs = 250;
const maxPauseMs = 10_000;

/** The events of one stream after another: each continues after the last event that the caller took. */
export async function* listen(
  deps: CallDeps,
  { after, types, channelId, signal }: ListenOptions,
  tools: StreamTools,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  let cursor = after;
  for (let failures = 0; ; failures++) {
    const query = { after: cursor, types: types?.join(","), channel_id: channelId };
    const request = createStreamRequest(deps, query, tools);
    const controller = new AbortController();
    const unlink = tools.linkSignal(signal, controller);
    let reason = "connection";
    let retryAfterMs = 0;
    try {
      controller.signal.throwIfAborted();
      const text = openStream(deps, request, failures, controller, tools);
      for await (const { id, data } of parseServerSentEvents(text)) {
        failures = 0;
        cursor = id ?? cursor;
        if (data !== "" && id !== undefined) yield { ...parseEvent(data, tools), cursor: id };
      }
    } catch (error) {
      if (signal?.aborted) throw createAbortError(tools);
      if (!isPassing(error)) throw error;
      const { status, retryAfterMs: askedMs } = Object(error);
      if (status !== undefined) reason = String(status);
      retryAfterMs = askedMs ?? 0;
    } finally {
      controller.abort();
      unlink();
    }
    const backoffMs = Math.min(maxPauseMs, minPauseMs * 2 ** failures) * Math.random();
    const waitedMs = Math.max(retryAfterMs, backoffMs);
    await pause(waitedMs, signal, tools);
    const { method, url } = request;
    deps.observer.retry({ operation, method, url, attempt: failures + 1, waitedMs, reason });
  }
}

/** The request of the feed, with another path and type. */
function createStreamRequest(deps: CallDeps, query: object, { createRequest }: StreamTools): OutgoingRequest {
  const headers = { accept: "text/event-stream" };
  const request = createRequest(deps.baseUrl, operation, { query }, { headers }, deps.defaults);
  const url = new URL(request.url);
  url.pathname += "/stream";
  return { ...request, url: url.href };
}

/** A broken connection, or a temporary error of the service. */
function isPassing(error: unknown): boolean {
  const { kind, retryable } = Object(error);
  return kind === undefined || retryable === true;
}

function parseEvent(data: string, { ParseError }: StreamTools): ChatEvent {
  try {
    // An event of the service, or of a newer one with further types.
    return JSON.parse(data) as ChatEvent;
  } catch {
    throw new ParseError("parse", "events.listen: an event is not JSON.", { operation });
  }
}

async function pause(ms: number, signal: ListenOptions["signal"], tools: StreamTools): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal ? tools.raceSignal(elapsed, signal) : elapsed);
  } catch {
    throw createAbortError(tools);
  } finally {
    clearTimeout(timer);
  }
}

const createAbortError = ({ AbortError }: StreamTools) =>
  new AbortError("abort", "events.listen was aborted by the signal of the caller.", { operation });
