import type { CallDeps } from "./call";
import { AbortError, ParseError } from "./errors";
import type { ChatEvent } from "./generated/types";
import type { ListenOptions, ReceivedEvent } from "./listen-options";
import { openStream } from "./open-stream";
import { parseServerSentEvents } from "./server-sent-events";
import { linkSignal, raceSignal } from "./signals";
import { formatQuery } from "./url";

const operation = "events.list";
const minPauseMs = 250;
const maxPauseMs = 10_000;

/** The events of one stream after another: each continues after the last event that the caller took. */
export async function* listen(
  deps: CallDeps,
  { after, types, channelId, signal }: ListenOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  let cursor = after;
  for (let failures = 0; ; failures++) {
    const controller = new AbortController();
    const unlink = linkSignal(signal, controller);
    const query = { after: cursor, types: types?.join(","), channel_id: channelId };
    const url = `${deps.baseUrl}/v1/events/stream${formatQuery(query, operation)}`;
    const event = { operation, method: "GET", url, attempt: failures + 1 } as const;
    let reason = "connection";
    let retryAfterMs = 0;
    try {
      controller.signal.throwIfAborted();
      const text = openStream(deps, event, controller);
      for await (const { id, data } of parseServerSentEvents(text)) {
        failures = 0;
        cursor = id ?? cursor;
        if (data !== "" && id !== undefined) yield { ...parseEvent(data), cursor: id };
      }
    } catch (error) {
      if (signal?.aborted) throw createAbortError();
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
    await pause(waitedMs, signal);
    deps.observer.retry({ ...event, attempt: failures + 1, waitedMs, reason });
  }
}

/** A broken connection, or a temporary error of the service. */
function isPassing(error: unknown): boolean {
  const { kind, retryable } = Object(error);
  return kind === undefined || retryable === true;
}

function parseEvent(data: string): ChatEvent {
  try {
    // An event of the service, or of a newer one with further types.
    return JSON.parse(data) as ChatEvent;
  } catch {
    throw new ParseError("parse", "events.listen: an event is not JSON.", { operation });
  }
}

async function pause(ms: number, signal: ListenOptions["signal"]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal ? raceSignal(elapsed, signal) : elapsed);
  } catch {
    throw createAbortError();
  } finally {
    clearTimeout(timer);
  }
}

const createAbortError = () =>
  new AbortError("abort", "events.listen was aborted by the signal of the caller.", { operation });
