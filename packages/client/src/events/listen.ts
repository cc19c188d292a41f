import { ParseError, ValidationError } from "../errors/errors";
import { isDefect } from "../errors/fetch-failure";
import { eventStreamRoute } from "../generated/routes";
import type { ChatEvent, LiveEvent } from "../generated/types";
import { linkSignal, raceSignal } from "../platform";
import type { Call, CallDeps, Input } from "../transport/call";
import { createRequest, type OutgoingRequest } from "../transport/request";
import { GrowingTexts } from "./growing-texts";
import {
  type ListenOptions,
  type LiveEventType,
  type LiveListenOptions,
  type ReceivedEvent,
  type ReceivedLiveEvent,
  transports,
} from "./listen-options";
import { maxSilenceMs, openStream, UnreadableStream } from "./open-stream";
import { parseServerSentEvents } from "./server-sent-events";

const headers = { accept: "text/event-stream" };
const minPauseMs = 250;
const maxPauseMs = 10_000;
/** How long a list waits for an event. */
const waitSeconds = 20;
/** How long lists are used after a stream that brought nothing, before a stream is tried again. */
const pollMs = 300_000;
/** What only a stream has. */
const liveTypes: readonly string[] = ["message.appended", "signal", "presence"] satisfies LiveEventType[];

/** An event with the cursor after it. One that is not stored has none, and a cursor alone has no event. */
interface Received {
  readonly id: string | undefined;
  readonly event: ChatEvent | LiveEvent | undefined;
}

/** The events of one connection after another: each continues after the last event that the caller took. */
export async function* listen(
  deps: CallDeps,
  call: Call,
  {
    after,
    types,
    presence,
    signal,
    onConnection,
    transport = "auto",
    ...filters
  }: ListenOptions | LiveListenOptions,
): AsyncGenerator<ReceivedEvent | ReceivedLiveEvent, void, undefined> {
  if (!transports.includes(transport))
    throw new ValidationError("transport", "Must be `auto`, `stream` or `poll`.");
  const texts = new GrowingTexts((channel_id, message_id) =>
    call("messages.get", { path: { channel_id, message_id } }, { signal }),
  );
  const { live, presenceOf, channel_id } = { live: undefined, presenceOf: undefined, ...filters };
  const stored = {
    types: types?.filter((type) => !liveTypes.includes(type)).join(","),
    channel_id,
    presence,
  };
  const presence_of = presenceOf?.length ? presenceOf.join(",") : undefined;
  let cursor = after;
  let hasConnected = false;
  let pollUntil = Number.NEGATIVE_INFINITY;
  const mustPoll = () =>
    transport === "poll" ||
    (transport === "auto" && (deps.bodies.areStreams === false || performance.now() < pollUntil));
  for (let failures = 0; !signal?.aborted; failures++) {
    const isPolling = mustPoll();
    const query = { after: cursor, types: types?.join(","), live, presence_of, presence, channel_id };
    const request = createRequest(deps, "events.listen", eventStreamRoute, { query }, { headers });
    const controller = new AbortController();
    const unlink = linkSignal(signal, controller);
    let isConnected = false;
    let hasReceived = false;
    let reason = "connection";
    let retryAfterMs = 0;
    const onOpen = () => {
      isConnected = true;
      onConnection?.(true, isPolling ? "poll" : "stream");
    };
    const startedAt = performance.now();
    try {
      const received = isPolling
        ? poll(call, { after: cursor, ...stored }, { signal, mustPoll, onOpen })
        : parseStream(openStream(deps, request, failures, controller, onOpen), request);
      for await (const { id, event } of received) {
        failures = 0;
        hasConnected = true;
        hasReceived = true;
        cursor = id ?? cursor;
        if (event === undefined) continue;
        // What is not stored has no cursor.
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
      const isUnreadable = transport === "auto" && error instanceof UnreadableStream;
      if (isUnreadable) deps.bodies.areStreams = false;
      else if (!(isOutage || isPassing(error)) || askedMs > deps.maxRetryAfterMs) throw error;
      if (status !== undefined) reason = String(status);
      retryAfterMs = askedMs;
    } finally {
      controller.abort();
      unlink();
      if (isConnected) onConnection?.(false, isPolling ? "poll" : "stream");
    }
    // A proxy may keep what it gets until the response ends, and so may a `fetch`.
    const wasSilent = !hasReceived && performance.now() - startedAt >= maxSilenceMs;
    pollUntil = wasSilent && !isPolling ? performance.now() + pollMs : pollUntil;
    if (!hasReceived && isPolling) pollUntil = Number.NEGATIVE_INFINITY;
    if (isPolling !== mustPoll()) continue;
    const backoffMs = Math.min(maxPauseMs, minPauseMs * 2 ** failures) * Math.random();
    const waitedMs = Math.max(retryAfterMs, backoffMs);
    await pause(waitedMs, signal);
    const { operation, method, url } = request;
    deps.observer.retry({ operation, method, url, attempt: failures + 1, waitedMs, reason });
  }
}

interface PollOptions {
  readonly signal: ListenOptions["signal"];
  /** Whether to go on. */
  readonly mustPoll: () => boolean;
  readonly onOpen: () => void;
}

/** Lists events as long as it must. All of a list but its last event have the cursor before it. */
async function* poll(
  call: Call,
  { after, ...filters }: NonNullable<Input<"events.list">["query"]>,
  { signal, mustPoll, onOpen }: PollOptions,
): AsyncGenerator<Received, void, undefined> {
  const options = { signal, maxRetries: 0, maxDowntimeMs: 0, timeoutMs: maxSilenceMs };
  let cursor = after;
  for (let count = 0; count === 0 || mustPoll(); count++) {
    // The first one says that there is a connection. Before the oldest event, there is no cursor.
    const query = {
      ...filters,
      after: cursor,
      ...(count > 0 && { wait: waitSeconds }),
      ...(cursor === undefined && { limit: 1 }),
    };
    const { events, next } = await call("events.list", { query }, options);
    if (count === 0) onOpen();
    for (const event of events) yield { id: event === events.at(-1) ? next : (cursor ?? next), event };
    cursor = next;
    yield { id: next, event: undefined };
  }
}

async function* parseStream(
  stream: AsyncIterable<string>,
  request: OutgoingRequest,
): AsyncGenerator<Received, void, undefined> {
  for await (const { id, data } of parseServerSentEvents(stream, request))
    yield { id, event: data === "" ? undefined : parseEvent(request, data) };
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
