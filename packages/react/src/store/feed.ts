import { type ChatClient, isApiError, type ReceivedEvent, type ReceivedLiveEvent } from "@madang/client";
import { pause } from "./pause";
import { createStore, type Store } from "./store";

/** The call waits for a service that cannot be reached: for 24 days, the longest time that the client accepts. */
export const patient = { maxDowntimeMs: 2 ** 31 - 1 } as const;

/** An event of the feed, or one that is not stored, such as a signal. */
export type FeedEvent = ReceivedEvent | ReceivedLiveEvent;

/** Whether events arrive. */
export interface Connection {
  /** `connecting` until the first connection; `failed` needs `retry`, and `error` says why. */
  readonly state: "connecting" | "connected" | "disconnected" | "failed";
  /** How events arrive. By `poll`, nobody is seen typing. */
  readonly transport?: Transport;
  /** Why it failed. */
  readonly error?: unknown;
}

type Transport = "stream" | "poll";

export interface FeedListener {
  /** Called for each event, in their order. */
  readonly onEvent: (event: FeedEvent) => void;
  /** Called when events were missed: everything has to be read again. */
  readonly onReset?: () => void;
  /** Called with each new connection: what could not be read before may be read now. */
  readonly onConnected?: () => void;
}

/** What happens to a page. */
type Notice =
  | { readonly event: FeedEvent }
  | {
      readonly state: "connecting" | "connected" | "disconnected";
      readonly transport?: Transport;
      readonly cursor: string | undefined;
    }
  | { readonly isReset: true };

/**
 * What the tabs of a browser tell each other: what happens, and since when the one that tells it receives events. Or they ask for that, or
 * say whose presence they show.
 */
type TabMessage =
  | (Notice & { readonly since: number })
  | { readonly isQuestion: true }
  | { readonly tab: number; readonly watched: readonly string[] };

/** The events of a user, or of a channel, for everything on a page, and where the browser can, for all tabs of a user. */
export class Feed {
  readonly #chat: ChatClient;
  readonly #filter: { readonly channel_id?: string };
  readonly #listeners = new Set<FeedListener>();
  readonly #connection = createStore<Connection>({ state: "connecting" });
  #cursor: string | undefined;
  /** Who has read what may miss something since. */
  #behind: ReadonlySet<FeedListener> = new Set();
  /** Where it begins, if another tab does not go on elsewhere. */
  #continued: string | undefined;
  #started = createGate();
  #hasStarted = false;
  readonly #tab = Math.random();
  /** The users whose presence each tab shows, this tab first. */
  readonly #watched = new Map<number, readonly string[]>([[this.#tab, []]]);
  #hasPresence = true;
  /** Ends the connection, and the users whose presence it follows. */
  #listening = { end: new AbortController(), presenceOf: [] as readonly string[] };
  #tellWatched = () => {};

  /**
   * @param chat Whose events they are.
   * @param filter Only those of a channel.
   */
  constructor(chat: ChatClient, filter: { readonly channel_id?: string } = {}) {
    this.#chat = chat;
    this.#filter = filter;
    this.#connection.subscribe(() => {
      if (this.#connection.get().state === "connected")
        for (const { onConnected } of [...this.#listeners]) onConnected?.();
    });
  }

  get connection(): Store<Connection> {
    return this.#connection;
  }

  /** The position after the last event. Undefined before the start. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Begins at a position: all listeners have what was before it. */
  continueAt(cursor: string): void {
    if (this.#hasStarted || this.#cursor !== undefined) return;
    this.#cursor = cursor;
    this.#continued = cursor;
  }

  /** All listeners read everything, and nothing before the next start. */
  restart(): void {
    this.#cursor = undefined;
    this.#behind = new Set(this.#listeners);
  }

  /** Resolves when all that happens from now on arrives, or none of it: what is read then misses nothing. */
  get started(): Promise<void> {
    return this.#started.opened;
  }

  /** Whether it has resolved. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Receives the presence of these users as well. If there are new users, it connects again. */
  watch(userIds: readonly string[]): void {
    this.#watch(this.#tab, userIds);
    this.#tellWatched();
  }

  #watch(tab: number, userIds: readonly string[]): void {
    this.#watched.set(tab, userIds);
    const { end, presenceOf } = this.#listening;
    if (this.#presenceOf().some((userId) => !presenceOf.includes(userId))) end.abort();
  }

  #presenceOf(): readonly string[] {
    const all = this.#hasPresence ? [...this.#watched.values()].flat() : [];
    return [...new Set(all)].slice(0, maxPresence);
  }

  /** Passes events to a listener, until the returned function is called. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Receives events until the signal is aborted.
   *
   * @param prepare What has to be done before. Tabs for which it returns the same name share the connection of one of them.
   */
  async run(signal: AbortSignal, prepare?: () => Promise<string>): Promise<void> {
    if (this.#connection.get().state === "failed") this.#connection.set({ state: "connecting" });
    signal.addEventListener("abort", () => {
      // What happens until it runs again is not known then, unless it has not begun.
      this.#cursor = this.#continued;
      // Who waits already goes on waiting, and has read nothing.
      if (!this.#hasStarted) return;
      this.#started = createGate();
      this.#hasStarted = false;
      this.#behind = new Set(this.#listeners);
    });
    try {
      const name = await prepare?.();
      if (signal.aborted) return;
      await (name === undefined || !canShare() ? this.#receive(signal, noTabs) : this.#share(signal, name));
    } catch (error) {
      if (signal.aborted) return;
      this.#connection.set({ state: "failed", error });
      this.#cursor = undefined;
      // Also who comes later: until it is tried again, nobody waits.
      this.#behind = this.#listeners;
      this.#resolveStarted();
    }
  }

  #resolveStarted(): void {
    this.#hasStarted = true;
    this.#started.open();
  }

  #start(cursor: string): void {
    if (this.#continued !== undefined && this.#continued !== cursor) this.#behind = new Set(this.#listeners);
    this.#continued = undefined;
    this.#cursor = cursor;
    this.#resolveStarted();
    const behind = this.#behind;
    this.#behind = new Set();
    this.#reset(behind);
  }

  #reset(behind: ReadonlySet<FeedListener>): void {
    for (const listener of [...behind]) if (this.#listeners.has(listener)) listener.onReset?.();
  }

  /**
   * The tab that holds the lock receives for the others. The next one continues where it has ended. Browsers may freeze a tab in the
   * background: one that is looked at takes the lock from a tab that does not respond.
   */
  async #share(signal: AbortSignal, name: string): Promise<void> {
    const tabs = new BroadcastChannel(name);
    /** Since when this tab receives, if it does, and the latest that has told something. */
    let since: number | undefined;
    let latest = 0;
    let askedAt: number | undefined;
    let turn = new AbortController();
    let isTaking = false;
    const send = (message: TabMessage) => tabs.postMessage(message);
    const ask = () => {
      const now = performance.now();
      if (since !== undefined || globalThis.document?.hidden) askedAt = undefined;
      else if (askedAt === undefined) {
        askedAt = now;
        send({ isQuestion: true });
      } else if (now - askedAt >= maxAnswerMs) {
        isTaking = true;
        turn.abort();
      }
    };
    const tell = (notice: Notice) => send({ ...notice, since: since ?? 0 });
    tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if ("isQuestion" in data) {
        if (since !== undefined) tell(this.#stateNotice());
      } else if ("watched" in data) this.#watch(data.tab, data.watched);
      else if (data.since >= latest) {
        // The tab with the stream is new, and does not know which users this tab shows.
        if (data.since > latest) this.#tellWatched();
        // A tab that was frozen may still tell what others have heard.
        latest = data.since;
        askedAt = undefined;
        this.#take(data);
      }
    };
    this.#tellWatched = () => send({ tab: this.#tab, watched: this.#watched.get(this.#tab) ?? [] });
    const end = () => turn.abort();
    signal.addEventListener("abort", end);
    const timer = setInterval(ask, maxAnswerMs / 2);
    globalThis.document?.addEventListener("visibilitychange", ask);
    try {
      ask();
      while (!signal.aborted) {
        turn = new AbortController();
        const options = isTaking ? { steal: true } : { signal: turn.signal };
        isTaking = false;
        const receive = async () => {
          since = latest = Math.max(Date.now(), latest + 1);
          await this.#receive(turn.signal, tell);
        };
        try {
          await navigator.locks.request(name, options, receive);
        } catch (error) {
          const isReceiving = since !== undefined;
          if (!turn.signal.aborted && !(isReceiving && isAbort(error))) throw error;
          turn.abort();
          // Another tab has taken over, and this one does not know what it has missed.
          if (isReceiving && !signal.aborted) this.#reset(this.#listeners);
        }
        since = undefined;
      }
    } finally {
      clearInterval(timer);
      globalThis.document?.removeEventListener("visibilitychange", ask);
      signal.removeEventListener("abort", end);
      send({ tab: this.#tab, watched: [] });
      this.#tellWatched = () => {};
      tabs.close();
    }
  }

  async #receive(signal: AbortSignal, tell: (notice: Notice) => void): Promise<void> {
    const take = (notice: Notice) => {
      this.#take(notice);
      tell(notice);
    };
    const setState = (state: "connected" | "disconnected", transport: Transport) => {
      this.#connection.set({ state, transport });
      tell(this.#stateNotice());
    };
    let pauseMs = 0;
    while (!signal.aborted) {
      const end = new AbortController();
      const stop = () => end.abort();
      signal.addEventListener("abort", stop);
      this.#listening = { end, presenceOf: this.#presenceOf() };
      try {
        this.#start(this.#cursor ?? (await this.#findEnd(signal)));
        tell(this.#stateNotice());
        const onConnection = (isConnected: boolean, transport: Transport) => {
          if (isConnected) pauseMs = 0;
          if (!end.signal.aborted) setState(isConnected ? "connected" : "disconnected", transport);
        };
        const events = this.#chat.events.listen({
          after: this.#cursor,
          live: true,
          presenceOf: this.#listening.presenceOf,
          signal: end.signal,
          onConnection,
          ...this.#filter,
        });
        for await (const event of events) take({ event });
      } catch (error) {
        if (isApiError(error) && error.code === "presence_disabled") {
          this.#hasPresence = false;
          continue;
        }
        if (!isLost(error)) throw error;
        // A service may reject also the position that it has just named.
        await pause(pauseMs, signal);
        pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, 2 * pauseMs));
        this.#cursor = await this.#findEnd(signal);
        take({ isReset: true });
      } finally {
        signal.removeEventListener("abort", stop);
      }
    }
  }

  /** Waits as long as the service cannot be reached. */
  async #findEnd(signal: AbortSignal): Promise<string> {
    const options = { signal, ...patient };
    return (await this.#chat.events.list({ after: "latest", ...this.#filter }, options)).next;
  }

  #stateNotice(): Notice {
    const { state, transport } = this.#connection.get();
    return {
      state: state === "failed" ? "disconnected" : state,
      ...(transport && { transport }),
      cursor: this.#cursor,
    };
  }

  #take(notice: Notice): void {
    if ("event" in notice) {
      if ("cursor" in notice.event) this.#cursor = notice.event.cursor;
      for (const { onEvent } of [...this.#listeners]) onEvent(notice.event);
    } else if ("state" in notice) {
      if (notice.cursor === undefined) return;
      const { state, transport } = notice;
      this.#connection.set({ state, ...(transport && { transport }) });
      this.#start(notice.cursor);
    } else if ("isReset" in notice) this.#reset(this.#listeners);
  }
}

/** `Promise.withResolvers`, which is newer than some of the supported browsers. */
export function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** How long the tab that receives may take to respond. */
const maxAnswerMs = 4_000;
const minPauseMs = 1_000;
/** The users whose presence a stream has at most. */
const maxPresence = 100;
const maxPauseMs = 30_000;

const noTabs = () => undefined;

/** Browsers have locks only on pages with HTTPS and on localhost. */
const canShare = () =>
  typeof BroadcastChannel === "function" && typeof navigator === "object" && navigator.locks !== undefined;

const isAbort = (error: unknown) => Object(error).name === "AbortError";

/** Whether the position in the feed is gone: it was too old, or the database has been restored. */
const isLost = (error: unknown) =>
  isApiError(error) && (error.code === "events_expired" || error.code === "invalid_cursor");
