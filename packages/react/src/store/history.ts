import {
  type ChatClient,
  isChatError,
  type Message,
  type MessageListPage,
  type ReceivedAppend,
} from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import { compareMessages } from "./position";
import type { At, SavedHistory } from "./saved";
import { createStore, type Store } from "./store";
import { once, type Reading, WorkQueue } from "./work-queue";

/** A stored message. One that is deleted while it is shown stays as a mark. */
export interface StoredMessage {
  readonly message: Message;
  readonly isDeleted: boolean;
}

/** Where to open a history: at the message with this id, or at a time in milliseconds since the Unix epoch, such as the beginning of a day. */
export type Around = string | number;

/** The newest messages of a channel, as a page of `chat.messages.list` has them: newest first. */
export interface InitialMessages {
  readonly items: readonly Message[];
  readonly nextCursor?: string | undefined;
}

/** A part of the history of a channel. */
export interface HistoryState {
  /** Oldest first. Absent until the first page is there. */
  readonly messages: readonly StoredMessage[] | undefined;
  /** Whether there are older messages than these. */
  readonly hasOlder: boolean;
  /** Whether there are newer messages than these. Until they are loaded, new messages are not shown. */
  readonly hasNewer: boolean;
  /** Changes whenever the history is opened anew. */
  readonly opening: number;
  /** The message to show first: the one that the history was opened around, otherwise one next to it. Absent: the newest one. */
  readonly position: string | undefined;
  /** What messages reply to, by id, where it is not among them. Undefined: it was deleted. */
  readonly repliedTo: ReadonlyMap<string, Message | undefined>;
  /** Why the history could not be opened. */
  readonly error: unknown;
  /** Why older or newer messages could not be added, until they are. */
  readonly loadErrors: { readonly older?: unknown; readonly newer?: unknown };
}

/** The state of a history that was not opened yet. */
const unopened: HistoryState = {
  messages: undefined,
  hasOlder: false,
  hasNewer: false,
  opening: 0,
  position: undefined,
  repliedTo: new Map(),
  error: undefined,
  loadErrors: {},
};

const pageSize = 50;
const maxPageSize = 100;
/** How many messages are kept. Those on the other end are dropped, so that a page stays fast however far its reader scrolls. */
const maxMessages = 400;
/** How many may follow live before the oldest are dropped: a reader further up keeps what is on the screen. */
const maxLiveMessages = 800;
/** Among what is read again: all messages that are shown, after those that come with no event of their own. */
const all = "all";

/** A part of the history of a channel that grows in both directions and follows what happens. */
export class History {
  readonly #chat: ChatClient;
  readonly #channelId: string;
  readonly #feed: Feed;
  readonly #findUserId: () => string | undefined;
  readonly #findSaved: () => Promise<At<SavedHistory> | undefined>;
  readonly #state = createStore(unopened);
  /** Oldest first. Absent until the first page is there. */
  #messages: StoredMessage[] | undefined;
  /** A response to a send may come after the event of its deletion. */
  readonly #deleted = new Set<string>();
  /** Messages until then were those of a channel that is deleted, and of which another one has the id now. */
  #deletedUntil = 0;
  /** The texts of messages that are being written, by id: they may arrive before the message itself. */
  readonly #growing = new Map<string, string>();
  /** The last change of the reactions to a message, by its id, until it is sent. */
  readonly #reacting = new Map<string, Promise<unknown>>();
  /** Loads and events, and which messages are read again, by id. */
  readonly #queue = new WorkQueue((ids, reading) => this.#readAgain(ids, reading));
  /** Which loads wait or run. */
  readonly #loading = new Set<"older" | "newer">();
  #isOpening = false;
  #openings = 0;
  #around: Around | undefined;

  /**
   * @param chat The client to read with.
   * @param channelId The channel.
   * @param feed The events of the channel, or of all channels.
   * @param findUserId Whose reactions have `own`. It is asked once the feed has started.
   * @param initial The newest messages, to be shown until they are read.
   * @param findSaved Finds what is kept of the channel, to be shown first.
   */
  constructor(
    chat: ChatClient,
    channelId: string,
    feed: Feed,
    findUserId: () => string | undefined = () => undefined,
    initial?: InitialMessages,
    findSaved: () => Promise<At<SavedHistory> | undefined> = async () => undefined,
  ) {
    this.#chat = chat;
    this.#channelId = channelId;
    this.#feed = feed;
    this.#findUserId = findUserId;
    this.#findSaved = findSaved;
    if (initial === undefined) return;
    this.#messages = toStored(initial);
    this.#set({ hasOlder: initial.nextCursor !== undefined });
  }

  get state(): Store<HistoryState> {
    return this.#state;
  }

  /** Opens the history and follows what happens, until the returned function is called. */
  connect(around?: Around): () => void {
    const leave = this.#feed.subscribe({
      onEvent: (event) => this.#take(event),
      onReset: () => this.#reopen(),
      onConnected: () => this.#resume(),
    });
    this.#queue.open();
    void this.open(around);
    return () => {
      leave();
      this.#queue.close();
    };
  }

  /**
   * Shows the newest messages, or those around a message or a time. A deleted message still has its position in the history; with
   * what is not the id of a message, the newest messages are shown.
   */
  open(around?: Around): Promise<void> {
    this.#around = around;
    this.#loading.clear();
    this.#isOpening = true;
    return this.#queue.restart((isCurrent) => this.#open(around, isCurrent));
  }

  /** Reads everything again: events were missed. A reader who was at the end is there again. */
  #reopen(): void {
    void this.open(this.#messages === undefined || this.state.get().hasNewer ? this.#around : undefined);
  }

  async #open(around: Around | undefined, isCurrent: () => boolean): Promise<void> {
    const { signal } = this.#queue;
    try {
      if (around === undefined && (await this.#restore(isCurrent))) {
        this.#isOpening = false;
        return;
      }
      await this.#feed.started;
      const found = around === undefined ? undefined : await this.#listAround(around);
      const page = found ?? (await this.#list({}));
      if (!isCurrent()) return;
      this.#messages = toStored(page);
      this.#set({
        opening: ++this.#openings,
        position: found && findPosition(found, around ?? ""),
        hasOlder: page.nextCursor !== undefined,
        hasNewer: found !== undefined,
        error: undefined,
        loadErrors: {},
      });
      this.#queue.noteSuccess();
      this.#followWritten(page.items);
      // What they reply to may have changed as well.
      for (const id of this.#listQuotes()) this.#queue.refresh(id);
    } catch (error) {
      if (signal.aborted || !isCurrent()) return;
      this.#messages = undefined;
      this.#set({ error, loadErrors: {} });
      this.#queue.repeatLater(error, () => this.retry());
    }
    this.#isOpening = false;
  }

  /** Shows what is kept. Returns whether it is complete: what has happened since comes with events. */
  async #restore(isCurrent: () => boolean): Promise<boolean> {
    if (this.#messages !== undefined) return false;
    const kept = await this.#findSaved();
    if (kept === undefined || !isCurrent()) return false;
    const { messages, hasOlder, repliedTo } = kept;
    this.#messages = messages.map((message) => ({
      message,
      isDeleted: this.#deleted.has(message.message_id),
    }));
    this.#set({
      opening: ++this.#openings,
      position: undefined,
      hasOlder,
      hasNewer: false,
      repliedTo: new Map(repliedTo.map(([id, message]) => [id, message ?? undefined])),
    });
    return kept.at === this.#feed.cursor;
  }

  /** What a later start shows. Undefined while something is read, and while it does not have the newest messages. */
  toSaved(): SavedHistory | undefined {
    const { hasOlder, hasNewer, error, repliedTo } = this.#state.get();
    if (this.#messages === undefined || hasNewer || error !== undefined) return undefined;
    if (!this.#queue.isIdle || this.#reacting.size > 0) return undefined;
    const messages = this.#messages.flatMap(({ message, isDeleted }) => (isDeleted ? [] : [message]));
    return {
      messages: messages.slice(-pageSize),
      hasOlder: hasOlder || messages.length > pageSize,
      repliedTo: [...repliedTo].map(([id, message]) => [id, message ?? null]),
    };
  }

  /** Shows nothing: it is that of another user. */
  clear(): void {
    this.#messages = undefined;
    this.#set({});
  }

  /** Adds what came before the oldest message that is shown. Until that is done, further calls have no effect. */
  loadOlder(): Promise<void> {
    return this.#load("older", async (isCurrent) => {
      const before = this.#messages?.[0]?.message.message_id;
      if (before === undefined) return;
      const page = await this.#list({ before });
      if (!isCurrent()) return;
      const messages = [...toStored(page), ...(this.#messages ?? [])];
      const isCut = messages.length > maxMessages;
      this.#messages = messages.slice(0, maxMessages);
      this.#set({ hasOlder: page.nextCursor !== undefined, ...(isCut && { hasNewer: true }) });
    });
  }

  /** Adds what came after the newest message that is shown. Until that is done, further calls have no effect. */
  loadNewer(): Promise<void> {
    return this.#load("newer", async (isCurrent) => {
      let newest = this.#messages?.at(-1)?.message;
      let count: number;
      try {
        do {
          const page = await this.#list(newest === undefined ? {} : { after: newest.message_id });
          if (!isCurrent()) return;
          this.#messages = withPage(this.#messages ?? [], page);
          count = page.items.length;
          newest = page.items[0] ?? newest;
          // A page of large messages is short, and only an empty one is the end.
        } while (count > 0 && count < pageSize);
      } catch (error) {
        if (!isCurrent()) return;
        // What was sent meanwhile would follow a gap.
        this.#messages = upTo(newest, this.#messages);
        this.#set({ hasNewer: true });
        throw error;
      }
      const isCut = this.#messages.length > maxMessages;
      this.#messages = this.#messages.slice(-maxMessages);
      this.#set({ hasNewer: count > 0, ...(isCut && { hasOlder: true }) });
    });
  }

  #load(end: "older" | "newer", load: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    if (this.#messages === undefined || this.#loading.has(end)) return this.#queue.add(() => undefined);
    this.#loading.add(end);
    const { signal } = this.#queue;
    return this.#queue.add(async (isCurrent) => {
      try {
        await load(isCurrent);
        if (!isCurrent()) return;
        this.#set(this.#loadErrorAt(end, undefined));
        this.#queue.noteSuccess();
        this.#readQuotes();
      } catch (error) {
        if (signal.aborted || !isCurrent()) return;
        this.#set(this.#loadErrorAt(end, error));
        this.#queue.repeatLater(error, () => this.retry());
      }
      this.#loading.delete(end);
    });
  }

  #loadErrorAt(end: "older" | "newer", error: unknown): Pick<HistoryState, "loadErrors"> {
    return { loadErrors: { ...this.#state.get().loadErrors, [end]: error } };
  }

  /** After a lost connection: what was appended meanwhile comes with no event, and what could not be read again still waits. */
  #resume(): void {
    this.retry();
    for (const { message } of this.#messages ?? []) if (isWritten(message)) this.refresh(message.message_id);
  }

  /** Loads again what could not be loaded. */
  retry(): void {
    const { error, loadErrors } = this.#state.get();
    if (error !== undefined) void this.open(this.#around);
    if (loadErrors.older !== undefined) void this.loadOlder();
    if (loadErrors.newer !== undefined) void this.loadNewer();
    this.#queue.retry();
  }

  /** Shows a message as a response has it: it was sent or changed here. */
  put(message: Message): void {
    this.#growing.delete(message.message_id);
    this.#show(message);
    // A page that is being loaded may be older than the response.
    void this.#queue.add(() => this.#show(message));
  }

  /** A response says nothing of one's own reactions, and may be older than what was read since. */
  #show(message: Message): void {
    const isShown = this.#change(message.message_id, (shown) =>
      shown.message.updated_at < message.updated_at
        ? { ...shown, message: withReactions(message, shown.message.reactions) }
        : shown,
    );
    if (!isShown) this.#add(message);
  }

  /** Shows a message as deleted. */
  markDeleted(messageId: string): void {
    this.#deleted.add(messageId);
    this.#growing.delete(messageId);
    this.#change(messageId, ({ message }) => ({ message, isDeleted: true }));
  }

  /**
   * Shows other reactions at once, and sends them after those to the same message that were changed before: the last change is what
   * stays. Until it is sent, what is read does not change them; then they are read.
   */
  async changeReactions(
    messageId: string,
    change: (message: Message) => Message,
    send: () => Promise<unknown>,
  ): Promise<void> {
    this.#change(messageId, (shown) => ({ ...shown, message: change(shown.message) }));
    const before = this.#reacting.get(messageId) ?? Promise.resolve();
    const sent = before.then(send, send);
    this.#reacting.set(messageId, sent);
    try {
      await sent;
    } finally {
      if (this.#reacting.get(messageId) === sent) this.#reacting.delete(messageId);
      this.#queue.outdate(messageId);
      this.refresh(messageId);
    }
  }

  /** Reads a message again, together with others: an event does not say how often it has a reaction, and whose they are. */
  refresh(messageId: string): void {
    if (this.#isShown(messageId)) this.#queue.refresh(messageId);
  }

  #isShown(messageId: string): boolean {
    return this.#messages?.some(({ message }) => message.message_id === messageId) === true;
  }

  #take(event: FeedEvent) {
    if (!("channel_id" in event) || event.channel_id !== this.#channelId) return;
    if (event.type === "message.appended") return this.#grow(event);
    // At once: what is read anew drops the events that wait.
    if (event.type === "message.deleted") this.#deleted.add(event.data.message_id);
    if (event.type === "channel.deleted") this.#deletedUntil = event.created_at;
    void this.#queue.add(() => this.#apply(event));
  }

  #apply(event: FeedEvent) {
    switch (event.type) {
      case "message.created": {
        const { message } = event.data;
        if (message === undefined) return;
        this.#add(message);
        this.#refreshParent(message);
        return;
      }
      case "messages.imported":
        return this.#queue.refresh(all);
      case "channel.deleted":
        return this.#reopen();
      case "member.joined":
      case "member.left":
      case "manager.removed":
        // What happened between two roles came with no event. Without a role, nothing can be read.
        if (event.user_id === this.#findUserId()) this.#reopen();
        return;
      case "manager.added":
        // A participant has missed nothing.
        if (event.user_id === this.#findUserId() && (this.#messages === undefined || this.#isOpening))
          this.#reopen();
        return;
      case "message.updated":
      case "message.pinned":
      case "message.unpinned": {
        const { message } = event.data;
        if (message === undefined) return;
        if (!isWritten(message)) this.#growing.delete(message.message_id);
        this.#change(message.message_id, (shown) => ({
          ...shown,
          message: withReactions(message, shown.message.reactions),
        }));
        return;
      }
      case "message.deleted": {
        const { message_id: id } = event.data;
        const shown = this.#messages?.find(({ message }) => message.message_id === id);
        this.markDeleted(id);
        if (shown) this.#refreshParent(shown.message);
        // It may have been a reply to any of them. Without newer messages, it was older than all of them.
        else if (this.#state.get().hasNewer)
          for (const { message } of this.#messages ?? [])
            if (message.reply_count !== undefined) this.refresh(message.message_id);
        return;
      }
      case "reaction.added":
      case "reaction.removed":
        return this.refresh(event.data.message_id);
    }
  }

  /** What a message replies to has another number of replies now. */
  #refreshParent({ reply_to: parentId }: Message): void {
    if (parentId !== undefined) this.refresh(parentId);
  }

  /** A new message, unless there may be others between it and those that are shown. */
  #add(message: Message): void {
    const { hasNewer, hasOlder } = this.#state.get();
    const messages = this.#messages;
    const { message_id: id } = message;
    if (messages === undefined || hasNewer || this.#isShown(id)) return;
    if (message.created_at <= this.#deletedUntil) return;
    const index = messages.findLastIndex((shown) => compareMessages(shown.message, message) < 0);
    if (index === -1 && hasOlder) return;
    const isDeleted = this.#deleted.has(id);
    const added = messages.toSpliced(index + 1, 0, { message, isDeleted });
    const isCut = added.length > maxLiveMessages;
    this.#messages = isCut ? added.slice(-maxMessages) : added;
    this.#set(isCut ? { hasOlder: true } : {});
    this.#followWritten([message]);
    if (message.reactions !== undefined) this.refresh(id);
    this.#readQuotes();
  }

  #grow({ data, content }: ReceivedAppend): void {
    this.#growing.set(data.message_id, content);
    this.#set({});
  }

  /** Counts of reactions that are added up could count one twice, so they are read; and without its quote, a reply only says that it is one. */
  async #readAgain(ids: readonly string[], { isCurrent, isFresh }: Reading): Promise<void> {
    if (ids.includes(all)) await this.#tryAll(isCurrent);
    const quotes = this.#listQuotes();
    const wanted = ids.filter((id) => quotes.has(id) || this.#isShown(id));
    if (wanted.length === 0) return;
    const found = await this.#find(wanted);
    if (!isCurrent()) return;
    const repliedTo = new Map(this.#state.get().repliedTo);
    for (const id of wanted) if (quotes.has(id)) repliedTo.set(id, found.get(id));
    this.#set({ repliedTo });
    // One that is not found was deleted, which another event says.
    for (const [id, message] of found)
      if (isFresh(id) && !this.#reacting.has(id)) this.#change(id, (shown) => ({ ...shown, message }));
    this.#followWritten(found.values());
  }

  /** Without a stream, nothing says how the text of a message grows: it is read again and again. */
  #followWritten(messages: Iterable<Message>): void {
    if (this.#feed.connection.get().transport !== "poll") return;
    for (const message of messages) if (isWritten(message)) this.refresh(message.message_id);
  }

  async #tryAll(isCurrent: () => boolean): Promise<void> {
    try {
      await this.#readAll(isCurrent);
      if (isCurrent()) this.#set(this.#loadErrorAt("newer", undefined));
    } catch (error) {
      if (isCurrent()) this.#set(this.#loadErrorAt("newer", error));
      throw error;
    }
  }

  /** What was imported may stand between any messages, and before them. */
  async #readAll(isCurrent: () => boolean): Promise<void> {
    const [oldest, newest] = [this.#messages?.at(0)?.message, this.#messages?.at(-1)?.message];
    // An empty history has no message after which others could come.
    if (oldest === undefined || newest === undefined) return this.#reopen();
    const { hasNewer } = this.#state.get();
    const read: StoredMessage[] = [];
    for (let after: Message | undefined = oldest; after !== undefined; ) {
      const { items } = await this.#list({ after: after.message_id, pageSize: maxPageSize });
      if (!isCurrent()) return;
      read.push(...toStored({ items }));
      after = hasNewer && items[0] && compareMessages(items[0], newest) >= 0 ? undefined : items[0];
    }
    const added = read.filter(({ message }) => !this.#isShown(message.message_id));
    const messages = [...(this.#messages ?? []), ...(hasNewer ? upTo(newest, added) : added)].sort(
      (one, other) => compareMessages(one.message, other.message),
    );
    this.#messages = messages.length > maxLiveMessages ? messages.slice(-maxMessages) : messages;
    this.#set({ hasOlder: true });
    for (const message of [oldest, ...read.map((one) => one.message)])
      if (message.reply_count !== undefined || message === oldest) this.refresh(message.message_id);
    this.#readQuotes();
  }

  /** What messages reply to that is not shown itself. */
  #listQuotes(): ReadonlySet<string> {
    const messages = this.#messages ?? [];
    const shown = new Set(messages.map(({ message }) => message.message_id));
    return new Set(messages.flatMap(({ message }) => message.reply_to ?? []).filter((id) => !shown.has(id)));
  }

  #readQuotes(): void {
    const { repliedTo } = this.#state.get();
    for (const id of this.#listQuotes()) if (!repliedTo.has(id)) this.#queue.refresh(id);
  }

  /** Changes a message wherever it is shown. Returns whether it is in the history. */
  #change(messageId: string, change: (shown: StoredMessage) => StoredMessage): boolean {
    const { repliedTo } = this.#state.get();
    const quoted = repliedTo.get(messageId);
    const next = (shown: StoredMessage): StoredMessage => {
      const changed = change(shown);
      // A response may be older than an event.
      const isOlder = changed.message.updated_at < shown.message.updated_at;
      return isOlder ? shown : changed;
    };
    let quotes: Pick<HistoryState, "repliedTo"> | undefined;
    if (quoted !== undefined) {
      const { message, isDeleted } = next({ message: quoted, isDeleted: false });
      quotes = { repliedTo: new Map(repliedTo).set(messageId, isDeleted ? undefined : message) };
    }
    const index = this.#messages?.findIndex(({ message }) => message.message_id === messageId) ?? -1;
    const shown = this.#messages?.[index];
    if (shown !== undefined) this.#messages = this.#messages?.with(index, next(shown));
    if (quotes !== undefined || shown !== undefined) this.#set(quotes ?? {});
    return shown !== undefined;
  }

  /** Undefined for what is not the id of a message. */
  #listAround(around: Around): Promise<MessageListPage | undefined> {
    const id = typeof around === "number" ? `${Math.max(0, Math.floor(around) - 1)}-1` : around;
    return this.#list({ around: id }).catch((error: unknown) => {
      if (isChatError(error) && error.code === "message_not_found") return undefined;
      throw error;
    });
  }

  #list(range: Parameters<ChatClient["messages"]["list"]>[1]): Promise<MessageListPage> {
    const { signal } = this.#queue;
    return this.#chat.messages
      .list(this.#channelId, { pageSize, ...this.#view, ...range }, { signal })
      .firstPage();
  }

  /** Messages by id. */
  async #find(ids: readonly string[]): Promise<Map<string, Message>> {
    const { signal } = this.#queue;
    const list = this.#chat.messages.list(
      this.#channelId,
      { message_ids: ids, ...this.#view },
      { signal, ...once },
    );
    return new Map((await list.toArray()).map((message) => [message.message_id, message]));
  }

  get #view() {
    const userId = this.#findUserId();
    return userId === undefined ? {} : { as_user: userId };
  }

  /** A message that is being written only grows: what was read may be older than what has arrived since. */
  #withText(shown: StoredMessage): StoredMessage {
    const { message } = shown;
    const content = this.#growing.get(message.message_id) ?? "";
    if (message.type === "file" || !isWritten(message) || content.length <= message.content.length)
      return shown;
    return { ...shown, message: { ...message, content } };
  }

  /** Changes the state, also to what the messages say. */
  #set(change: Partial<HistoryState>): void {
    this.#state.set({
      ...this.#state.get(),
      messages: this.#messages?.map((shown) => this.#withText(shown)),
      ...change,
    });
  }
}

const isWritten = (message: Message) => message.type !== "file" && message.state === "streaming";

const toStored = ({ items }: InitialMessages): StoredMessage[] =>
  items.map((message) => ({ message, isDeleted: false })).reverse();

/** With the next page. What was sent meanwhile may be in it, or, unless the page is short, follow a gap. */
function withPage(messages: readonly StoredMessage[], page: MessageListPage): StoredMessage[] {
  const [newest] = page.items;
  const shown = page.items.length === pageSize ? upTo(newest, messages) : messages;
  const ids = new Set(shown.map(({ message }) => message.message_id));
  const added = toStored(page).filter(({ message }) => !ids.has(message.message_id));
  return [...shown, ...added].sort((one, other) => compareMessages(one.message, other.message));
}

const upTo = (newest: Message | undefined, messages: readonly StoredMessage[] = []): StoredMessage[] =>
  messages.filter(({ message }) => newest !== undefined && compareMessages(message, newest) <= 0);

/** An event says nothing of one's own reactions. */
function withReactions(message: Message, reactions: Message["reactions"]): Message {
  const { reactions: _, ...others } = message;
  return reactions === undefined ? others : { ...others, reactions };
}

/** The message itself, otherwise the last one before it; at a time, the first one after it, otherwise the last one. */
function findPosition({ items }: MessageListPage, around: Around): string | undefined {
  if (typeof around === "number")
    return (items.findLast(({ created_at }) => created_at >= around) ?? items[0])?.message_id;
  if (items.some(({ message_id }) => message_id === around)) return around;
  const time = Number(around.split("-")[0]);
  return (items.find(({ created_at }) => created_at <= time) ?? items.at(-1))?.message_id;
}
