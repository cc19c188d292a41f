import { ParseError } from "../errors/errors";
import { isDefect } from "../errors/fetch-failure";
import { eventStreamRoute } from "../generated/routes";
import type { ChatEvent, LiveEvent } from "../generated/types";
import { linkSignal, raceSignal } from "../platform";
import type { Call, CallDeps } from "../transport/call";
import { createRequest, type OutgoingRequest } from "../transport/request";
import { GrowingTexts } from "./growing-texts";
import type { ListenOptions, LiveListenOptions, ReceivedEvent, ReceivedLiveEvent } from "./listen-options";
import { openStream } from "./open-stream";
import { parseServerSentEvents } from "./server-sent-events";

const headers = { accept: "text/event-stream" };
const minPauseMs = 250;
const maxPauseMs = 10_000;

/** The events of one stream after another: each continues after the last event that the caller took. */
export async function* listen(
  deps: CallDeps,
  call: Call,
  { after, types, signal, onConnection, ...filters }: ListenOptions | LiveListenOptions,
): AsyncGenerator<ReceivedEvent | ReceivedLiveEvent, void, undefined> {
  const texts = new GrowingTexts((channel_id, message_id) =>
    call("messages.get", { path: { channel_id, message_id } }, { signal }),
  );
  let cursor = after;
  let hasConnected = false;
  for (let failures = 0; !signal?.aborted; failures++) {
    const query = { after: cursor, types: types?.join(","), ...filters };
    const request = createRequest(deps, "events.listen", eventStreamRoute, { query }, { headers });
    const controller = new AbortController();
    const unlink = linkSignal(signal, controller);
    let isConnected = false;
    let reason = "connection";
    let retryAfterMs = 0;
    const onOpen = () => {
      isConnected = true;
      onConnection?.(true);
    };
    try {
      const stream = openStream(deps, request, failures, controller, onOpen);
      for await (const { id, data } of parseServerSentEvents(stream, request)) {
        failures = 0;
        hasConnected = true;
        cursor = id ?? cursor;
        if (data === "") continue;
        // What is not stored has no cursor.
        const event = parseEvent(request, data);
        if (id !== undefined) {
          texts.take(event as ChatEvent);
          yield { ...(event as ChatEvent), cursor: id };
        } else if (event.type === "message.appended") {
          const grown = await texts.append(event);
          if (grown) yield grown;
        } else yield event as ReceivedLiveEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const { kind, status, retryAfterMs: askedMs = 0 } = Object(error);
      // Later, a host that is not found is that of a network which is down.
      const isOutage = hasConnected && kind === "connection";
      if (!(isOutage || isPassing(error)) || askedMs > deps.maxRetryAfterMs) throw error;
      if (status !== undefined) reason = String(status);
      retryAfterMs = askedMs;
    } finally {
      controller.abort();
      unlink();
      if (isConnected) onConnection?.(false);
    }
    const backoffMs = Math.min(maxPauseMs, minPauseMs * 2 ** failures) * Math.random();
    const waitedMs = Math.max(retryAfterMs, backoffMs);
    await pause(waitedMs, signal);
    const { operation, method, url } = request;
    deps.observer.retry({ operation, method, url, attempt: failures + 1, waitedMs, reason });
  }
}

/** A broken connection, or a temporary error of the service. */
function isPassing(error: unknown): boolean {
  const { kind, retryable } = Object(error);
  return kind === undefined ? !isDefect(error) : retryable === true;
}

function parseEvent({ operation }: OutgoingRequest, data: string): ChatEvent | LiveEvent {
  try {
    // An event of the service, or of a newer one with further types.
    return JSON.parse(data) as ChatEvent | LiveEvent;
  } catch {
    throw new ParseError("parse", `${operation}: an event is not JSON.`, { operation });
  }
}

/** Waits for so long, or until the signal is aborted. */
async function pause(ms: number, signal: ListenOptions["signal"]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await (signal ? raceSignal(elapsed, signal) : elapsed).catch(() => undefined);
  clearTimeout(timer);
}
