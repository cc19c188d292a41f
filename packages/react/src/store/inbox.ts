import type { ChatClient, Message, Page, Pager, User, UserChannel } from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import type { Outbox } from "./outbox";
import { compareIds, compareMessages } from "./position";
import { createStore, type Store } from "./store";
import { throttle } from "./throttle";

/** The channels of the user, by last activity. */
export interface InboxState {
  /** Newest activity first. Empty until the first page is there. */
  readonly channels: readonly UserChannel[];
  /** Whether there are more channels. */
  readonly hasMore: boolean;
  /** The unread messages of all channels. A channel counts at most 100. */
  readonly unreadCount: number;
  /** `failed`: it could not be read; `error` says why. It is tried again with the next connection, and by `loadMore`. */
  readonly state: "loading" | "ready" | "failed";
  readonly error: unknown;
}

const pageSize = 30;
const idsPerRequest = 50;
const refreshMs = 1_000;
const maxCount = 100;

/** What an inbox needs of the chat of its user. */
export interface InboxSource {
  readonly chat: ChatClient;
  readonly feed: Feed;
  readonly outbox: Outbox;
  readonly user: Store<User | undefined>;
}

/** The list of channels of a user, with their last messages and unread counts. */
export class Inbox {
  readonly #store: InboxSource;
  readonly #state = createStore<InboxState>({
    channels: [],
    hasMore: false,
    unreadCount: 0,
    state: "loading",
    error: undefined,
  });
  #controller = new AbortController();
  #cursor: string | undefined;
  /** Channels whose lines are read again, by id. */
  readonly #stale = new Set<string>();
  readonly #refreshStale = throttle(refreshMs, () => void this.#enqueue(() => this.#readStale()));
  /** The unread messages of all channels, as the service counted them and lines have changed since. Needed while there are more pages. */
  #total = 0;
  readonly #readTotal = throttle(refreshMs, () => void this.#fetchTotal());
  #isReadingTotal = false;
  /** Reads and events, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #connections = 0;
  #disconnect: () => void = () => undefined;

  /** @param store The chat of the user. */
  constructor(store: InboxSource) {
    this.#store = store;
  }

  get state(): Store<InboxState> {
    return this.#state;
  }

  /** Reads the inbox and follows what happens, until every returned function is called. */
  readonly connect = (): (() => void) => {
    if (this.#connections++ === 0) this.#disconnect = this.#open();
    return () => {
      if (--this.#connections === 0) this.#disconnect();
    };
  };

  #open(): () => void {
    const { feed, outbox } = this.#store;
    const controller = new AbortController();
    this.#controller = controller;
    const read = () => void this.#enqueue(() => this.#read());
    const leave = [
      feed.subscribe({ onEvent: (event) => void this.#enqueue(() => this.#take(event)), onReset: read }),
      feed.connection.subscribe(() => {
        if (feed.connection.get().state !== "connected") return;
        if (this.#state.get().state === "failed") read();
        else if (this.#stale.size > 0) this.#refreshStale();
      }),
      outbox.onSent((message) => this.#addMessage(message.channel_id, message)),
    ];
    read();
    return () => {
      controller.abort();
      for (const stop of leave) stop();
      this.#refreshStale.cancel();
      this.#readTotal.cancel();
    };
  }

  /** Adds the next channels. After a failure, reads the first ones again. */
  readonly loadMore = (): Promise<void> =>
    this.#enqueue(async () => {
      if (this.#state.get().state === "failed") return this.#read();
      if (!this.#state.get().hasMore) return;
      const { items, nextCursor } = await this.#list({ pageSize, cursor: this.#cursor }).firstPage();
      this.#cursor = nextCursor;
      this.#putLines(items, { hasMore: nextCursor !== undefined });
    });

  /** Takes a read mark of the user: what it leaves unread, once the service has said it. */
  takeMark(channelId: string, messageId: string, unreadCount?: number): void {
    this.#changeLine(channelId, (line) => {
      const isAll =
        line.last_message !== undefined && compareIds(messageId, line.last_message.message_id) >= 0;
      if (line.read_message_id !== undefined && compareIds(messageId, line.read_message_id) < 0) return line;
      const unread = isAll ? 0 : unreadCount;
      // Of some of the unread messages, only the service knows how many mention the user.
      if (!isAll && line.mention_count > 0) this.#readAgain(channelId);
      return {
        ...line,
        read_message_id: messageId,
        ...(unread !== undefined && { unread_count: unread }),
        ...(isAll && { mention_count: 0 }),
      };
    });
  }

  #enqueue(work: () => Promise<void> | void): Promise<void> {
    const { signal } = this.#controller;
    this.#work = this.#work
      .then(() => (signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#set({ state: "failed", error });
      });
    return this.#work;
  }

  async #read(): Promise<void> {
    await this.#store.feed.started;
    const { items, nextCursor } = await this.#list({ pageSize }).firstPage();
    this.#cursor = nextCursor;
    this.#set({ channels: [] });
    this.#putLines(items, { hasMore: nextCursor !== undefined, state: "ready", error: undefined });
    this.#readTotal();
  }

  #list(filter: Parameters<ChatClient["users"]["channels"]>[1]): Pager<UserChannel, Page<UserChannel>> {
    const { chat, user } = this.#store;
    const { signal } = this.#controller;
    return chat.users.channels(user.get()?.user_id ?? "", filter, { signal });
  }

  #take(event: FeedEvent) {
    if (!("channel_id" in event)) return;
    const { channel_id: channelId } = event;
    const isOwn = "user_id" in event && event.user_id === this.#store.user.get()?.user_id;
    // Only the service knows what was unread there.
    if (this.#find(channelId) === undefined && mayLeaveLess(event.type, isOwn)) this.#readTotal();
    switch (event.type) {
      case "message.created":
        if (event.data.message) this.#addMessage(channelId, event.data.message);
        return;
      case "message.updated": {
        const { message } = event.data;
        this.#changeLine(channelId, (line) =>
          message !== undefined && line.last_message?.message_id === message.message_id
            ? { ...line, last_message: message }
            : line,
        );
        return;
      }
      case "message.deleted": {
        const line = this.#find(channelId);
        const { message_id: id } = event.data;
        // It may have been unread, or the one that the line shows.
        if (line && (line.unread_count > 0 || line.last_message?.message_id === id))
          this.#readAgain(channelId);
        return;
      }
      case "messages.imported":
        return this.#readAgain(channelId);
      case "member.read":
        if (isOwn) {
          this.takeMark(channelId, event.data.read_message_id);
          if (this.#find(channelId)?.unread_count) this.#readAgain(channelId);
        }
        return;
      case "member.joined":
        return this.#readAgain(channelId);
      case "member.left":
        if (isOwn) this.#removeLine(channelId);
        else this.#readAgain(channelId);
        return;
      case "channel.deleted":
        return this.#removeLine(channelId);
      case "channel.updated": {
        const { channel } = event.data;
        if (channel) this.#changeLine(channelId, (line) => ({ ...line, ...channel }));
        return;
      }
    }
  }

  /** A message that is newer than the last one of the line was not counted yet. */
  #addMessage(channelId: string, message: Message) {
    const line = this.#find(channelId);
    if (line === undefined) return this.#readAgain(channelId);
    if (line.last_message !== undefined && compareMessages(message, line.last_message) <= 0) return;
    const userId = this.#store.user.get()?.user_id ?? "";
    const isFromOther = message.type !== "system" && message.user.user_id !== userId;
    const isMention =
      message.mentions?.includes(userId) === true && (isFromOther || message.type === "system");
    const isRead =
      line.read_message_id !== undefined && compareIds(message.message_id, line.read_message_id) <= 0;
    this.#changeLine(channelId, () => ({
      ...line,
      last_message: message,
      unread_count: Math.min(maxCount, line.unread_count + (isFromOther && !isRead ? 1 : 0)),
      mention_count: Math.min(maxCount, line.mention_count + (isMention && !isRead ? 1 : 0)),
    }));
  }

  #readAgain(channelId: string): void {
    this.#stale.add(channelId);
    this.#refreshStale();
  }

  async #readStale(): Promise<void> {
    const ids = [...this.#stale].slice(0, idsPerRequest);
    for (const id of ids) this.#stale.delete(id);
    if (this.#stale.size > 0) this.#refreshStale();
    if (ids.length === 0) return;
    const lines = await this.#list({ channel_ids: ids })
      .toArray()
      .catch(() => undefined);
    if (lines === undefined) {
      // The next event, or the next connection, tries it again.
      for (const id of ids) this.#stale.add(id);
      return;
    }
    const found = new Set(lines.map(({ channel_id }) => channel_id));
    for (const id of ids) if (!found.has(id)) this.#removeLine(id);
    const { hasMore, channels } = this.#state.get();
    const last = channels.at(-1);
    // Those further down come with their page.
    this.#putLines(
      lines.filter((line) => !hasMore || last === undefined || activityOf(line) >= activityOf(last)),
    );
    this.#readTotal();
  }

  async #fetchTotal(): Promise<void> {
    if (!this.#state.get().hasMore) return;
    // One at a time: the last response has to be the newest.
    if (this.#isReadingTotal) return this.#readTotal();
    this.#isReadingTotal = true;
    const { chat, user } = this.#store;
    const { signal } = this.#controller;
    const unread = await chat.users.unread(user.get()?.user_id ?? "", { signal }).catch(() => undefined);
    // After the events that have arrived meanwhile.
    if (unread !== undefined && !signal.aborted)
      await this.#enqueue(() => {
        this.#total = unread.unread_count;
        this.#set({});
      });
    this.#isReadingTotal = false;
  }

  #changeTotal(change: number): void {
    this.#total += change;
    // One that is on its way may be from before the change, or from after it.
    if (change !== 0 && this.#isReadingTotal) this.#readTotal();
  }

  #find(channelId: string): UserChannel | undefined {
    return this.#state.get().channels.find(({ channel_id }) => channel_id === channelId);
  }

  #changeLine(channelId: string, change: (line: UserChannel) => UserChannel): void {
    const line = this.#find(channelId);
    if (line === undefined) return;
    const changed = change(line);
    if (changed !== line) this.#putLines([changed]);
  }

  #removeLine(channelId: string): void {
    this.#changeTotal(-(this.#find(channelId)?.unread_count ?? 0));
    this.#set({ channels: this.#state.get().channels.filter(({ channel_id }) => channel_id !== channelId) });
  }

  #putLines(lines: readonly UserChannel[], change: Partial<InboxState> = {}): void {
    const byId = new Map(this.#state.get().channels.map((line) => [line.channel_id, line]));
    for (const line of lines) {
      this.#changeTotal(line.unread_count - (byId.get(line.channel_id)?.unread_count ?? line.unread_count));
      byId.set(line.channel_id, line);
    }
    const channels = [...byId.values()].sort((one, other) => activityOf(other) - activityOf(one));
    this.#set({ ...change, channels });
  }

  #set(change: Partial<InboxState>): void {
    const state = { ...this.#state.get(), ...change };
    const sum = state.channels.reduce((total, { unread_count }) => total + unread_count, 0);
    this.#state.set({ ...state, unreadCount: state.hasMore ? Math.max(sum, this.#total) : sum });
  }
}

/** Whether an event may leave less unread. What leaves more brings the line of its channel. */
function mayLeaveLess(type: FeedEvent["type"], isOwn: boolean): boolean {
  if (type === "member.read" || type === "member.left") return isOwn;
  return type === "message.deleted" || type === "channel.deleted";
}

/** The time of the last message, otherwise that of joining. */
const activityOf = ({ last_message, joined_at }: UserChannel) => last_message?.created_at ?? joined_at;
