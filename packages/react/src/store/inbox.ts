import type {
  CallOptions,
  ChatClient,
  Message,
  Page,
  Pager,
  PreferencesChange,
  User,
  UserChannel,
} from "@madang/client";
import type { Blocks } from "./blocks";
import type { Feed, FeedEvent } from "./feed";
import { activityOf, compareLines, countOf, type InboxLine, withMark, withMessage } from "./inbox-line";
import { compareMessages } from "./position";
import { PreferenceChanges } from "./preference-changes";
import { type InboxFilter, isListed, isPinned, withPreferences } from "./preferences";
import { isQuietOver, QuietEnds } from "./quiet-ends";
import type { FindSaved, SavedInbox } from "./saved";
import { createStore, type Store, type WritableStore } from "./store";
import { UnreadTotal } from "./unread-total";
import { once, type Reading, WorkQueue } from "./work-queue";

/** The channels of the user, by last activity. */
export interface InboxState {
  /** Pinned ones first, then by last activity, newest first. Empty until the first page is there. */
  readonly channels: readonly InboxLine[];
  /** Whether there are more channels. */
  readonly hasMore: boolean;
  /** The unread messages of all channels that are not quiet, whatever the filter. A channel counts at most 100. */
  readonly unreadCount: number;
  /** `failed`: it could not be read; `error` says why. It is tried again with the next connection, and by `loadMore`. */
  readonly state: "loading" | "ready" | "failed";
  readonly error: unknown;
}

const empty: InboxState = {
  channels: [],
  hasMore: false,
  unreadCount: 0,
  state: "loading",
  error: undefined,
};

const pageSize = 30;
/** Of a page that has grown, no more is kept. */
const maxSaved = 100;
/** How to read the inbox. */
export interface InboxOptions {
  /** Whether each channel has its first 10 participants, for lists of one-to-one channels. */
  readonly members?: boolean | undefined;
  /** Which channels it has. Default: `all`, those that are neither archived nor hidden. */
  readonly filter?: InboxFilter | undefined;
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

/** The channels of a filter. */
interface List {
  readonly filter: InboxFilter;
  readonly shown: WritableStore<InboxState>;
  connections: number;
  state: InboxState["state"];
  error: unknown;
  /** That of the next page. */
  cursor: string | undefined;
  /** The activity of the last channel of the pages so far: channels further down come with their page. */
  end: number;
}

const createList = (filter: InboxFilter): List => ({
  filter,
  shown: createStore(empty),
  connections: 0,
  state: "loading",
  error: undefined,
  cursor: undefined,
  end: Number.NEGATIVE_INFINITY,
});

/** What `users.channels` calls a filter. */
const queries = { all: {}, unread: { unread: true }, archived: { archived: true }, hidden: { hidden: true } };

/** The channels of a user, with their last messages and unread counts. */
export class Inbox {
  readonly #store: InboxSource;
  /** Every channel that was read, of any list. */
  readonly #lines = new Map<string, InboxLine>();
  readonly #lists: Readonly<Record<InboxFilter, List>> = {
    all: createList("all"),
    unread: createList("unread"),
    archived: createList("archived"),
    hidden: createList("hidden"),
  };
  /** The cursor and the end of the first page of all channels. */
  #first: Pick<SavedInbox, "cursor" | "end"> = { cursor: undefined, end: undefined };
  #hasMembers = false;
  readonly #changes = new PreferenceChanges();
  /** Reads and events, and which lines are read again, by the id of their channel. */
  readonly #queue = new WorkQueue((ids, reading) => this.#readAgain(ids, reading));
  readonly #total = new UnreadTotal((signal) => this.#fetchTotal(signal));
  readonly #quietEnds = new QuietEnds(() => this.#readUnquiet());
  #connections = 0;
  #disconnect: () => void = () => undefined;

  /** @param store The chat of the user. */
  constructor(store: InboxSource) {
    this.#store = store;
  }

  /** The channels that are neither archived nor hidden. */
  get state(): Store<InboxState> {
    return this.stateOf("all");
  }

  /** The channels of a filter. */
  stateOf(filter: InboxFilter): Store<InboxState> {
    return this.#lists[filter].shown;
  }

  /** Reads the channels of a filter and follows what happens, until every returned function is called. */
  readonly connect = ({ members = false, filter = "all" }: InboxOptions = {}): (() => void) => {
    const list = this.#lists[filter];
    const isMore = members && !this.#hasMembers;
    this.#hasMembers ||= members;
    list.connections++;
    if (this.#connections++ === 0) this.#disconnect = this.#open();
    else if (isMore) this.#readAll();
    // Once it was read, it is kept current as long as anything is connected.
    else
      void this.#queue.add((isCurrent) =>
        list.state === "ready" ? undefined : this.#read(isCurrent, [list]),
      );
    return () => {
      const saved = this.#connections === 1 ? this.toSaved() : undefined;
      list.connections--;
      if (--this.#connections > 0) return;
      if (saved !== undefined) this.#store.keepInbox(saved);
      this.#hasMembers = false;
      this.#disconnect();
    };
  };

  #open(): () => void {
    const { feed } = this.#store;
    for (const each of [this.#queue, this.#total]) each.open();
    const leave = feed.subscribe({
      onEvent: (event) => void this.#queue.add(() => this.#take(event)),
      onReset: () => this.#readAll(),
      onConnected: () => {
        this.#readFailed();
        for (const each of [this.#queue, this.#total]) each.retry();
      },
    });
    this.#readAll();
    return () => {
      leave();
      for (const each of [this.#queue, this.#total, this.#quietEnds]) each.close();
    };
  }

  get #openLists(): readonly List[] {
    return Object.values(this.#lists).filter(({ connections }) => connections > 0);
  }

  /** Reads everything that is shown anew. */
  #readAll(): void {
    void this.#queue.add(async (isCurrent) => {
      if (await this.#restore(isCurrent)) return;
      await this.#read(isCurrent);
    });
  }

  #readFailed(): void {
    if (this.#openLists.some(({ state }) => state === "failed")) this.#readAll();
  }

  /** Adds the next channels. After a failure, reads the first ones again. */
  readonly loadMore = (filter: InboxFilter = "all"): Promise<void> =>
    this.#queue.add(async (isCurrent) => {
      const list = this.#lists[filter];
      if (list.state === "failed") await this.#read(isCurrent);
      else if (list.cursor !== undefined) await this.#try([list], () => this.#addPage(list, isCurrent));
    });

  /**
   * Changes the user's preferences for a channel: `setPreferences` of its line.
   *
   * @param channelId The channel.
   * @param change What to change: `notify`, `quiet_until`, `hidden`, `archived`, `pinned`.
   */
  readonly setPreferences = async (channelId: string, change: PreferencesChange): Promise<void> => {
    const { chat, user } = this.#store;
    const userId = user.get()?.user_id ?? "";
    const request = () => chat.channels.members.setPreferences(channelId, userId, change);
    const show = () => {
      const line = this.#find(channelId);
      if (line !== undefined) this.#putLines([this.#changes.apply(line)]);
    };
    const saved = this.#find(channelId)?.preferences;
    try {
      await this.#changes.send({ channelId, saved, change }, request, show);
    } finally {
      // An event may have been from before the change, or from after it.
      this.#queue.outdate(channelId);
      this.refresh(channelId);
    }
  };

  /** Takes a read mark of the user. Until it is stored, it only counts if nothing is unread after it. */
  takeMark(channelId: string, messageId: string, isStored: boolean): void {
    const line = this.#find(channelId);
    if (line === undefined) return;
    const marked = withMark(line, messageId, isStored);
    if (marked === "unknown") this.refresh(channelId);
    else if (marked !== undefined) this.#putLines([marked]);
  }

  /** Reads the line of a channel again. */
  refresh(channelId: string): void {
    this.#queue.refresh(channelId);
  }

  /** Reads the beginning of lists. Without any, that of all that are shown, and forgets what was known before. */
  async #read(isCurrent: () => boolean, added?: readonly List[]): Promise<void> {
    await this.#store.feed.started;
    if (!isCurrent()) return;
    const lists = added ?? this.#openLists;
    await this.#try(lists, async () => {
      const pages = await Promise.all(
        lists.map(({ filter }) => this.#list({ ...queries[filter], pageSize }).firstPage()),
      );
      const isCut = lists.some(({ filter }, index) => hasPinned(filter) && pages[index]?.nextCursor);
      // They are shown first, wherever they are.
      const pinned = isCut ? (await this.#list({ pinned: true, pageSize }).firstPage()).items : [];
      if (!isCurrent()) return;
      this.#queue.noteSuccess();
      if (added === undefined) this.#forget(lists);
      for (const [index, list] of lists.entries()) this.#noteEnd(list, pages[index]);
      const { cursor, end } = this.#lists.all;
      if (lists.includes(this.#lists.all))
        this.#first = { cursor, end: cursor === undefined ? undefined : end };
      this.#putRead([...pages.flatMap(({ items }) => items), ...pinned]);
      this.#total.read();
    });
  }

  /** Forgets all channels, and resets the lists that are not shown. */
  #forget(shown: readonly List[] = []): void {
    this.#lines.clear();
    for (const list of Object.values(this.#lists))
      if (!shown.includes(list)) {
        list.state = "loading";
        list.shown.set(empty);
      }
  }

  #noteEnd(list: List, { items, nextCursor }: InitialChannels = { items: [] }): void {
    const last = items.at(-1);
    list.state = "ready";
    list.error = undefined;
    list.cursor = nextCursor;
    list.end = nextCursor === undefined || last === undefined ? Number.NEGATIVE_INFINITY : activityOf(last);
  }

  /** Shows what is kept. Returns whether it is complete: what has happened since comes with events. */
  async #restore(isCurrent: () => boolean): Promise<boolean> {
    const { feed, saved } = this.#store;
    const { all } = this.#lists;
    if (all.connections === 0 || this.#openLists.some(({ state }) => state !== "loading")) return false;
    const kept = await (await saved())?.inbox();
    if (kept === undefined || !isCurrent()) return false;
    const { channels, cursor, end, total } = kept;
    this.#forget();
    this.#first = { cursor, end };
    this.#total.value = total;
    all.state = "ready";
    all.cursor = cursor;
    all.end = end ?? Number.NEGATIVE_INFINITY;
    this.#putRead(channels);
    this.#total.read();
    const isWhole = !this.#hasMembers || channels.every(({ members }) => members);
    return kept.at === feed.cursor && isWhole && this.#openLists.every((list) => list === all);
  }

  /** What a later start shows. Undefined while something is read. */
  toSaved(): SavedInbox | undefined {
    const { state, channels } = this.state.get();
    const { end = Number.NEGATIVE_INFINITY } = this.#first;
    const isIdle = this.#queue.isIdle && this.#changes.isEmpty;
    if (this.#connections === 0 || state !== "ready" || !isIdle) return undefined;
    const first = channels.filter((line) => isPinned(line) || activityOf(line) >= end);
    return first.length > maxSaved
      ? undefined
      : { ...this.#first, channels: first, total: this.#total.value };
  }

  /** Shows nothing: it is that of another user. */
  clear(): void {
    this.#forget();
  }

  /** Adds the next page to the lines. */
  async #addPage(list: List, isCurrent: () => boolean): Promise<void> {
    const page = await this.#list({ pageSize, cursor: list.cursor }).firstPage();
    if (!isCurrent()) return;
    this.#queue.noteSuccess();
    this.#noteEnd(list, page);
    this.#putRead(page.items);
  }

  /** After a failure, the first page is read again: later, if that may help. */
  async #try(lists: readonly List[], read: () => Promise<void>): Promise<void> {
    const { signal } = this.#queue;
    try {
      await read();
    } catch (error) {
      if (signal.aborted) return;
      for (const list of lists) {
        list.state = "failed";
        list.error = error;
      }
      this.#show();
      this.#queue.repeatLater(error, () => this.#readFailed());
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
      for (const { channel_id, unread_count, mention_count } of this.#lines.values())
        if (event.type === "block.removed" || unread_count + mention_count > 0) this.refresh(channel_id);
      this.#total.read();
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
        if (this.#find(channelId) === undefined) this.#total.read();
        this.takeMark(channelId, event.data.read_message_id, true);
        return;
      case "member.preferences": {
        const line = this.#find(channelId);
        const { preferences } = event.data;
        if (line === undefined) this.refresh(channelId);
        // A user who has left has no line, which another event says.
        else if (preferences !== undefined) this.#putRead([withPreferences(line, preferences)]);
        return;
      }
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
    const isFromBlocked = message.type !== "system" && blocks.isBlocked(message.user);
    this.#putLines([withMessage(line, message, userId, isFromBlocked)]);
    // Only the service knows how its files count, and until the blocks are read, whether its sender is blocked.
    if (message.type === "file" || message.attachments !== undefined || !blocks.isCertain)
      this.refresh(channelId);
  }

  async #readAgain(ids: readonly string[], { isCurrent, isFresh }: Reading): Promise<void> {
    const lines = await this.#list({ channel_ids: ids }, once).toArray();
    if (!isCurrent()) return;
    const found = new Set(lines.map(({ channel_id }) => channel_id));
    for (const id of ids) if (!found.has(id)) this.#removeLine(id);
    this.#quietEnds.forget();
    this.#putRead(lines.filter(({ channel_id }) => isFresh(channel_id)));
    this.#total.read();
    // A list that has become short is filled.
    for (const list of this.#openLists) {
      const { channels, hasMore } = list.shown.get();
      if (hasMore && channels.length < pageSize) await this.#addPage(list, isCurrent);
    }
  }

  /** Whether every channel that counts is known. */
  get #isComplete(): boolean {
    const { state, cursor } = this.#lists.all;
    return state === "ready" && cursor === undefined;
  }

  async #fetchTotal(signal: AbortSignal): Promise<void> {
    if (this.#isComplete) return;
    const { chat, user } = this.#store;
    const { unread_count } = await chat.users.unread(user.get()?.user_id ?? "", { signal, ...once });
    // After the events that have arrived meanwhile.
    await this.#queue.add(() => {
      this.#total.value = unread_count;
      this.#show();
    });
  }

  #find(channelId: string): InboxLine | undefined {
    return this.#lines.get(channelId);
  }

  #removeLine(channelId: string): void {
    this.#total.change(-countOf(this.#find(channelId)));
    this.#lines.delete(channelId);
    this.#show();
  }

  /** Puts lines as the service has them. */
  #putRead(lines: readonly UserChannel[]): void {
    this.#putLines(
      lines.map((line) => {
        this.#changes.noteSaved(line);
        return this.#changes.apply(withActions(line, this.setPreferences));
      }),
    );
  }

  #putLines(lines: readonly InboxLine[]): void {
    for (const line of lines) {
      const before = this.#find(line.channel_id);
      if (before !== undefined) this.#total.change(countOf(line) - countOf(before));
      this.#lines.set(line.channel_id, line);
    }
    this.#show();
  }

  /** Shows what is known in every list. */
  #show(): void {
    const lines = [...this.#lines.values()];
    const sum = lines.reduce((count, line) => count + countOf(line), 0);
    const unreadCount = this.#isComplete ? sum : Math.max(sum, this.#total.value);
    for (const list of Object.values(this.#lists)) {
      const { filter, state, error, cursor, end } = list;
      if (state === "loading") continue;
      const channels = lines
        .filter((line) => isListed(line, filter) && (isPinned(line) || activityOf(line) >= end))
        .sort(compareLines);
      list.shown.set({ channels, hasMore: cursor !== undefined, unreadCount, state, error });
    }
    if (this.#connections > 0) this.#quietEnds.watch(lines);
  }

  #readUnquiet(): void {
    for (const line of this.#lines.values()) if (isQuietOver(line)) this.refresh(line.channel_id);
    this.#show();
  }
}

/** Whether a list shows pinned channels first. */
const hasPinned = (filter: InboxFilter) => filter === "all" || filter === "unread";

const withActions = (line: UserChannel, setPreferences: Inbox["setPreferences"]): InboxLine => ({
  ...line,
  setPreferences: (change) => setPreferences(line.channel_id, change),
});

/** What a page shows of the first channels until they are read. */
export function showInitial(
  state: InboxState,
  initial: InitialChannels | undefined,
  { setPreferences }: Inbox,
): InboxState {
  if (initial === undefined || state.state === "ready" || state.channels.length > 0) return state;
  const { items, nextCursor } = initial;
  return {
    ...state,
    channels: items.map((line) => withActions(line, setPreferences)).sort(compareLines),
    unreadCount: items.reduce((sum, line) => sum + countOf(line), 0),
    hasMore: nextCursor !== undefined,
    ...(state.state === "loading" && { state: "ready" }),
  };
}
