import type { CallOptions, ChatClient, Message, Page, Pager, User, UserChannel } from "@madang/client";
import type { Blocks } from "./blocks";
import type { Feed, FeedEvent } from "./feed";
import { compareIds, compareMessages } from "./position";
import type { FindSaved, SavedInbox } from "./saved";
import { createStore, type Store } from "./store";
import { throttle } from "./throttle";
import { once, type Reading, WorkQueue } from "./work-queue";

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
const refreshMs = 1_000;
/** How long the total is what events say, before it is read. */
const checkMs = 5_000;
const maxCount = 100;
/** Of a page that has grown, no more is kept. */
const maxSaved = 100;

/** How to read the inbox. */
export interface InboxOptions {
  /** Whether each channel has its first 10 participants, for lists of one-to-one channels. */
  readonly members?: boolean | undefined;
}

/** The first page of `chat.users.channels`. */
export interface InitialChannels {
  readonly items: readonly UserChannel[];
  readonly nextCursor?: string | undefined;
}

/** What an inbox needs of the chat of its user. */
export interface InboxSource {
  readonly chat: ChatClient;
  readonly feed: Feed;
  readonly user: Store<User | undefined>;
  readonly blocks: Blocks;
  /** What is kept of the user. */
  readonly saved: FindSaved;
  /** Keeps what is shown when the inbox is left. */
  readonly keepInbox: (inbox: SavedInbox) => void;
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
  #cursor: string | undefined;
  /** The activity of the last channel of the pages so far: channels further down come with their page. */
  #end = Number.NEGATIVE_INFINITY;
  /** The same of the first page. */
  #first: Pick<SavedInbox, "cursor" | "end"> = { cursor: undefined, end: undefined };
  #hasMembers = false;
  /** Reads and events, and which lines are read again, by the id of their channel. */
  readonly #queue = new WorkQueue((ids, reading) => this.#readAgain(ids, reading));
  /** The unread messages of all channels, as the service counted them and lines have changed since. Needed while there are more pages. */
  #total = 0;
  readonly #readTotal = throttle(refreshMs, () => void this.#fetchTotal());
  #isReadingTotal = false;
  #totalTimer: ReturnType<typeof setTimeout> | undefined;
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
  readonly connect = ({ members = false }: InboxOptions = {}): (() => void) => {
    const isMore = members && !this.#hasMembers;
    this.#hasMembers ||= members;
    if (this.#connections++ === 0) this.#disconnect = this.#open();
    else if (isMore) void this.#queue.add((isCurrent) => this.#read(isCurrent));
    return () => {
      const saved = this.#connections === 1 ? this.toSaved() : undefined;
      if (--this.#connections > 0) return;
      if (saved !== undefined) this.#store.keepInbox(saved);
      this.#hasMembers = false;
      this.#disconnect();
    };
  };

  #open(): () => void {
    const { feed } = this.#store;
    const read = () => void this.#queue.add((isCurrent) => this.#read(isCurrent));
    this.#queue.open();
    const leave = [
      feed.subscribe({ onEvent: (event) => void this.#queue.add(() => this.#take(event)), onReset: read }),
      feed.connection.subscribe(() => {
        if (feed.connection.get().state !== "connected") return;
        if (this.#state.get().state === "failed") read();
        this.#queue.retry();
      }),
    ];
    read();
    return () => {
      for (const stop of leave) stop();
      this.#queue.close();
      this.#readTotal.cancel();
      clearTimeout(this.#totalTimer);
      this.#totalTimer = undefined;
    };
  }

  /** Adds the next channels. After a failure, reads the first ones again. */
  readonly loadMore = (): Promise<void> =>
    this.#queue.add(async (isCurrent) => {
      if (this.#state.get().state === "failed") await this.#read(isCurrent);
      else if (this.#state.get().hasMore) await this.#try(() => this.#addPage(isCurrent));
    });

  /** Takes a read mark of the user. Until it is stored, it only counts if nothing is unread after it. */
  takeMark(channelId: string, messageId: string, isStored: boolean): void {
    const line = this.#find(channelId);
    if (line === undefined) return;
    const { read_message_id, last_message, unread_count, mention_count } = line;
    if (read_message_id !== undefined && compareIds(messageId, read_message_id) <= 0) {
      // The message that was marked had been deleted, so the mark is at one before it.
      if (isStored) this.#putLines([{ ...line, read_message_id: messageId }]);
      return;
    }
    const isAll = last_message === undefined || compareIds(messageId, last_message.message_id) >= 0;
    if (isAll) this.#putLines([{ ...line, read_message_id: messageId, unread_count: 0, mention_count: 0 }]);
    else if (isStored && unread_count + mention_count === 0)
      this.#putLines([{ ...line, read_message_id: messageId }]);
    // Of some of the unread messages, only the service knows how many are left.
    else if (isStored) this.refresh(channelId);
  }

  /** Reads the line of a channel again. */
  refresh(channelId: string): void {
    this.#queue.refresh(channelId);
  }

  async #read(isCurrent: () => boolean): Promise<void> {
    if (await this.#restore(isCurrent)) return;
    await this.#store.feed.started;
    if (!isCurrent()) return;
    await this.#try(async () => {
      this.#cursor = undefined;
      await this.#addPage(isCurrent, { channels: [], state: "ready", error: undefined });
      if (!isCurrent()) return;
      this.#first = { cursor: this.#cursor, end: this.#cursor === undefined ? undefined : this.#end };
      this.#readTotal();
    });
  }

  /** Shows what is kept. Returns whether it is complete: what has happened since comes with events. */
  async #restore(isCurrent: () => boolean): Promise<boolean> {
    const { feed, saved } = this.#store;
    if (this.#state.get().state !== "loading") return false;
    const kept = await (await saved())?.inbox();
    if (kept === undefined || !isCurrent()) return false;
    const { channels, cursor, end, total } = kept;
    this.#first = { cursor, end };
    this.#cursor = cursor;
    this.#end = end ?? Number.NEGATIVE_INFINITY;
    this.#total = total;
    this.#set({ channels, hasMore: cursor !== undefined, state: "ready" });
    this.#readTotal();
    return kept.at === feed.cursor && (!this.#hasMembers || channels.every(({ members }) => members));
  }

  /** What a later start shows. Undefined while something is read. */
  toSaved(): SavedInbox | undefined {
    const { state, channels } = this.#state.get();
    const { end = Number.NEGATIVE_INFINITY } = this.#first;
    if (this.#connections === 0 || state !== "ready" || !this.#queue.isIdle) return undefined;
    const first = channels.filter((line) => activityOf(line) >= end);
    return first.length > maxSaved ? undefined : { ...this.#first, channels: first, total: this.#total };
  }

  /** Shows nothing: it is that of another user. */
  clear(): void {
    this.#set({ channels: [], hasMore: false, state: "loading", error: undefined });
  }

  /** Adds the next page to the lines, or to those of the change. */
  async #addPage(isCurrent: () => boolean, change: Partial<InboxState> = {}): Promise<void> {
    const { items, nextCursor } = await this.#list({ pageSize, cursor: this.#cursor }).firstPage();
    if (!isCurrent()) return;
    this.#cursor = nextCursor;
    const last = items.at(-1);
    this.#end = nextCursor === undefined || last === undefined ? Number.NEGATIVE_INFINITY : activityOf(last);
    this.#queue.noteSuccess();
    this.#putLines(items, { ...change, hasMore: nextCursor !== undefined });
  }

  /** After a failure, the first page is read again: later, if that may help. */
  async #try(read: () => Promise<void>): Promise<void> {
    const { signal } = this.#queue;
    try {
      await read();
    } catch (error) {
      if (signal.aborted) return;
      this.#set({ state: "failed", error });
      this.#queue.repeatLater(error, () => {
        if (this.#state.get().state === "failed") void this.#queue.add((isCurrent) => this.#read(isCurrent));
      });
    }
  }

  #list(
    filter: Parameters<ChatClient["users"]["channels"]>[1],
    options: CallOptions = {},
  ): Pager<UserChannel, Page<UserChannel>> {
    const { chat, user } = this.#store;
    const { signal } = this.#queue;
    const withMembers = this.#hasMembers && filter?.cursor === undefined ? { members: true } : {};
    return chat.users.channels(
      user.get()?.user_id ?? "",
      { ...withMembers, ...filter },
      { signal, ...options },
    );
  }

  #take(event: FeedEvent) {
    // What a blocked user has sent counts or does not, in every channel.
    if (event.type === "block.added" || event.type === "block.removed") {
      for (const { channel_id } of this.#state.get().channels) this.refresh(channel_id);
      this.#readTotal();
    }
    if (!("channel_id" in event)) return;
    const { channel_id: channelId } = event;
    const isOwn = "user_id" in event && event.user_id === this.#store.user.get()?.user_id;
    switch (event.type) {
      case "message.created":
        // One that is deleted by now counts in the total all the same.
        if (event.data.message) this.#addMessage(channelId, event.data.message);
        else this.refresh(channelId);
        return;
      case "message.updated": {
        const { message } = event.data;
        const line = this.#find(channelId);
        if (message !== undefined && line?.last_message?.message_id === message.message_id)
          this.#putLines([{ ...line, last_message: message }]);
        return;
      }
      case "message.deleted": {
        const line = this.#find(channelId);
        // Without messages, a channel has the time of joining: it moves up if they were older, such as imported ones.
        if (line === undefined) return this.refresh(channelId);
        const { unread_count, mention_count, last_message } = line;
        // It may have been unread, have mentioned the user, or be the one that the line shows.
        if (unread_count + mention_count > 0 || last_message?.message_id === event.data.message_id)
          this.refresh(channelId);
        return;
      }
      case "member.read":
        if (!isOwn) return;
        // Only the service knows what was unread there.
        if (this.#find(channelId) === undefined) this.#readTotal();
        this.takeMark(channelId, event.data.read_message_id, true);
        return;
      case "messages.imported":
      case "member.joined":
      case "member.left":
      case "channel.updated":
      case "channel.deleted":
        return this.refresh(channelId);
    }
  }

  /** A message that is newer than the last one of the line was not counted yet. */
  #addMessage(channelId: string, message: Message) {
    const line = this.#find(channelId);
    if (line === undefined) return this.refresh(channelId);
    if (line.last_message !== undefined && compareMessages(message, line.last_message) <= 0) return;
    const { user, blocks } = this.#store;
    const userId = user.get()?.user_id ?? "";
    const isSystem = message.type === "system";
    const isFromOther = !isSystem && message.user.user_id !== userId && !blocks.isBlocked(message.user);
    const isMention = message.mentions?.includes(userId) === true && (isFromOther || isSystem);
    const isRead =
      line.read_message_id !== undefined && compareIds(message.message_id, line.read_message_id) <= 0;
    this.#putLines([
      {
        ...line,
        last_message: message,
        total_message_count: line.total_message_count + 1,
        unread_count: Math.min(maxCount, line.unread_count + (isFromOther && !isRead ? 1 : 0)),
        mention_count: Math.min(maxCount, line.mention_count + (isMention && !isRead ? 1 : 0)),
      },
    ]);
    // Only the service knows how its files count, and until the blocks are read, whether its sender is blocked.
    if (message.type === "file" || message.attachments !== undefined || !blocks.isCertain)
      this.refresh(channelId);
  }

  async #readAgain(ids: readonly string[], { isCurrent }: Reading): Promise<void> {
    const lines = await this.#list({ channel_ids: ids }, once).toArray();
    if (!isCurrent()) return;
    const isAbove = (line: UserChannel) => activityOf(line) >= this.#end;
    const found = new Set(lines.filter(isAbove).map(({ channel_id }) => channel_id));
    for (const id of ids) if (!found.has(id)) this.#removeLine(id);
    this.#putLines(lines.filter(isAbove));
    this.#readTotal();
    // A list that has become short is filled.
    const { channels, hasMore } = this.#state.get();
    if (hasMore && channels.length < pageSize) await this.#addPage(isCurrent);
  }

  async #fetchTotal(): Promise<void> {
    if (!this.#state.get().hasMore) return;
    // One at a time: the last response has to be the newest.
    if (this.#isReadingTotal) return this.#readTotal();
    this.#isReadingTotal = true;
    const { chat, user } = this.#store;
    const { signal } = this.#queue;
    try {
      const { unread_count } = await chat.users.unread(user.get()?.user_id ?? "", { signal, ...once });
      // After the events that have arrived meanwhile.
      await this.#queue.add(() => {
        this.#total = unread_count;
        this.#set({});
      });
    } catch (error) {
      if (!signal.aborted) this.#queue.repeatLater(error, () => this.#readTotal());
    }
    this.#isReadingTotal = false;
  }

  #changeTotal(change: number): void {
    if (change === 0) return;
    this.#total += change;
    // One that is on its way may be from before the change, or from after it.
    if (this.#isReadingTotal) this.#readTotal();
    // The one that was read may have had the change before its event came.
    this.#totalTimer ??= setTimeout(() => {
      this.#totalTimer = undefined;
      this.#readTotal();
    }, checkMs);
  }

  #find(channelId: string): UserChannel | undefined {
    return this.#state.get().channels.find(({ channel_id }) => channel_id === channelId);
  }

  #removeLine(channelId: string): void {
    this.#changeTotal(-(this.#find(channelId)?.unread_count ?? 0));
    this.#set({ channels: this.#state.get().channels.filter(({ channel_id }) => channel_id !== channelId) });
  }

  #putLines(lines: readonly UserChannel[], change: Partial<InboxState> = {}): void {
    const shown = change.channels ?? this.#state.get().channels;
    const byId = new Map(shown.map((line) => [line.channel_id, line]));
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

/** The time of the last message, otherwise that of joining. */
const activityOf = ({ last_message, joined_at }: UserChannel) => last_message?.created_at ?? joined_at;

/** What a page shows of the first channels until they are read. */
export function showInitial(state: InboxState, initial: InitialChannels | undefined): InboxState {
  if (initial === undefined || state.state === "ready" || state.channels.length > 0) return state;
  const { items: channels, nextCursor } = initial;
  const unreadCount = channels.reduce((sum, { unread_count }) => sum + unread_count, 0);
  return {
    ...state,
    channels,
    unreadCount,
    hasMore: nextCursor !== undefined,
    ...(state.state === "loading" && { state: "ready" }),
  };
}
