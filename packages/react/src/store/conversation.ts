import { isApiError, isChatError, type Message, type Participant, type User } from "@madang/client";
import type { FeedEvent } from "./feed";
import { type Around, History, type HistoryState, type InitialMessages, type StoredMessage } from "./history";
import type { Inbox, InboxSource } from "./inbox";
import { Members, readersOf } from "./members";
import type { Draft, Outbox } from "./outbox";
import { compareIds } from "./position";
import type { SavedHistory } from "./saved";
import { findQuote, isSame, type ShownMessage, toMessage, withOwnReaction } from "./shown-message";
import { SlowMode } from "./slow-mode";
import { createStore, type Store, type WritableStore } from "./store";
import { throttle } from "./throttle";
import { Typing } from "./typing";

/** What a page shows of a channel. */
export interface ConversationState {
  /** Oldest first, those that are not stored yet at the end. Empty until the first page is there. */
  readonly messages: readonly ShownMessage[];
  /** Whether there are older messages than these. */
  readonly hasOlder: boolean;
  /** Whether there are newer messages than these. */
  readonly hasNewer: boolean;
  /** `failed`: the channel could not be read; `error` says why. It is tried again with the next connection. */
  readonly state: "loading" | "ready" | "failed";
  readonly error: unknown;
  /** Changes whenever the conversation is opened anew: scroll to `position` then, or to the end without one. */
  readonly opening: number;
  /** The key of the message to show first. */
  readonly position: string | undefined;
  /** The participants of the channel and their read marks. */
  readonly members: readonly Participant[];
  /** Who types, without the user of the page and the users whom it has blocked. */
  readonly typing: readonly User[];
  /** Until when slow mode lets the user send nothing, in milliseconds since the Unix epoch. `useSecondsUntil` counts down to it. */
  readonly slowModeUntil: number | undefined;
}

const markMs = 1_000;

type StoredById = ReadonlyMap<string, StoredMessage>;

/** What a conversation needs of the chat of its user. */
export interface ConversationSource extends InboxSource {
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  /** Those that are shown, by channel. */
  readonly conversations: Map<string, Conversation>;
  /** Keeps what is shown, soon. */
  readonly keep: () => void;
  /** Keeps what is shown of a channel, or forgets it. */
  readonly keepHistory: (channelId: string, history: SavedHistory | undefined) => void;
}

/** A channel as a page shows it: its history, what is not stored yet, who types and who has read what. */
export class Conversation {
  readonly #store: ConversationSource;
  readonly #channelId: string;
  readonly #history: History;
  readonly #members: Members;
  readonly #typing: Typing;
  readonly #slowMode: SlowMode;
  readonly #state: WritableStore<ConversationState>;
  /** What was shown last, by key: what has not changed keeps its identity. */
  #shown = new Map<string, ShownMessage>();
  /** The newest message that the user has seen, and that which is marked. */
  #seen: string | undefined;
  #marked: string | undefined;
  #connections = 0;
  #disconnect: () => void = () => undefined;
  readonly #mark = throttle(markMs, () => void this.#sendMark());

  /**
   * @param store The chat of the user.
   * @param channelId The channel.
   * @param initial The newest messages, to be shown until they are read, as on a server.
   */
  constructor(store: ConversationSource, channelId: string, initial?: InitialMessages) {
    this.#store = store;
    this.#channelId = channelId;
    const { chat, feed } = store;
    const findSaved = async () => (await store.saved())?.history(channelId);
    this.#history = new History(chat, channelId, feed, () => this.#userId, initial, findSaved);
    this.#members = new Members(chat, channelId, feed);
    this.#typing = new Typing(chat, channelId);
    this.#slowMode = new SlowMode(store, channelId);
    this.#state = createStore(this.#compose());
  }

  get state(): Store<ConversationState> {
    return this.#state;
  }

  get #userId(): string | undefined {
    return this.#store.user.get()?.user_id;
  }

  /**
   * Opens the conversation and follows what happens, until every returned function is called.
   *
   * @param around The message, or the time in milliseconds, to open it at. Default: the newest messages, or what is open.
   */
  readonly connect = (around?: Around): (() => void) => {
    if (this.#connections++ === 0) this.#disconnect = this.#open(around);
    else if (around !== undefined) void this.open(around);
    return () => {
      if (--this.#connections === 0) this.#disconnect();
    };
  };

  #open(around: Around | undefined): () => void {
    const { feed, outbox, conversations, user, blocks } = this.#store;
    if (!conversations.has(this.#channelId)) conversations.set(this.#channelId, this);
    const update = () => this.#update();
    const leave = [
      feed.subscribe({
        onEvent: (event) => this.#take(event),
        onReset: () => this.#members.read(),
        onConnected: () => {
          this.#members.retry();
          this.#slowMode.retry();
          this.#mark();
        },
      }),
      outbox.onSent((message, isDeleted) => {
        if (message.channel_id !== this.#channelId) return;
        this.#slowMode.noteSent(Date.now(), message.created_at);
        if (isDeleted) this.#history.markDeleted(message.message_id);
        this.#history.put(message);
      }),
      ...[
        this.#history.state,
        this.#members.list,
        this.#typing.userIds,
        this.#slowMode.until,
        outbox.unsent,
        user,
        blocks.state,
      ].map((store) => store.subscribe(update)),
      this.#history.connect(around),
    ];
    this.#members.open();
    this.#slowMode.open();
    update();
    const sendMark = () => this.#mark();
    globalThis.document?.addEventListener("visibilitychange", sendMark);
    return () => {
      if (conversations.get(this.#channelId) === this) conversations.delete(this.#channelId);
      const history = this.toSaved();
      if (history !== undefined) this.#store.keepHistory(this.#channelId, history);
      for (const stop of leave) stop();
      this.#members.close();
      this.#slowMode.close();
      globalThis.document?.removeEventListener("visibilitychange", sendMark);
      this.#typing.clear();
      this.#mark.cancel();
      void this.#sendMark();
    };
  }

  /** What a later start shows of the channel. Undefined while something is read. */
  toSaved(): SavedHistory | undefined {
    return this.#history.toSaved();
  }

  /** Shows nothing: it is that of another user. */
  clear(): void {
    this.#history.clear();
    this.#slowMode.clear();
  }

  /** Shows the newest messages, or those around a message or a time. */
  readonly open = (around?: Around): Promise<void> => this.#history.open(around);

  /** Adds older messages. Until that is done, further calls have no effect. */
  readonly loadOlder = (): Promise<void> => this.#history.loadOlder();

  /** Adds newer messages. Until that is done, further calls have no effect. */
  readonly loadNewer = (): Promise<void> => this.#history.loadNewer();

  /** Loads again what could not be loaded. */
  readonly reload = (): void => this.#history.retry();

  /** Shows a message at once and sends it. It is stored once, also when the page is loaded again meanwhile. */
  readonly send = (draft: Draft): void => {
    this.#typing.set(false);
    this.#store.outbox.add(this.#channelId, draft);
    // What was written stands below the newest messages.
    if (this.#history.state.get().hasNewer) void this.open();
  };

  /** Sends a message again that has failed. */
  readonly retry = (shown: ShownMessage): void => this.#store.outbox.retry(shown.key);

  /** Forgets a message that has failed. */
  readonly discard = (shown: ShownMessage): void => this.#store.outbox.discard(shown.key);

  /** Changes the text of an own message. Rejects if somebody else has changed it since it was shown. */
  readonly edit = async ({ message }: ShownMessage, content: string): Promise<void> => {
    const edit = { content, if_updated_at: message.updated_at };
    this.#history.put(await this.#store.chat.messages.update(this.#channelId, message.message_id, edit));
  };

  /** Deletes a message. */
  readonly remove = async ({ message }: ShownMessage): Promise<void> => {
    await this.#store.chat.messages.delete(this.#channelId, message.message_id);
    this.#history.markDeleted(message.message_id);
  };

  /** Adds one's own reaction, or removes it. It is shown at once. */
  readonly react = async ({ message }: ShownMessage, reaction: string): Promise<void> => {
    const userId = this.#userId;
    if (userId === undefined) return;
    const { message_id: messageId } = message;
    const isOn = !message.reactions?.some((count) => count.reaction === reaction && count.own);
    const { reactions } = this.#store.chat.messages;
    await this.#history.changeReactions(
      messageId,
      (current) => withOwnReaction(current, reaction, isOn),
      () =>
        isOn
          ? reactions.add(this.#channelId, messageId, reaction, userId)
          : reactions.remove(this.#channelId, messageId, reaction, userId),
    );
  };

  /** Marks what the user has seen as read: up to the message with this key, or everything that is shown. While the page is hidden, it waits. */
  readonly markRead = (key?: string): void => {
    const { messages } = this.#state.get();
    const sent = messages.filter(({ status }) => status === "sent");
    const shown = key === undefined ? sent.at(-1) : messages.find((one) => one.key === key);
    // Below what is not stored yet, all that is stored was seen.
    const id = shown?.message.message_id || sent.at(-1)?.message.message_id;
    if (!id || (this.#seen !== undefined && compareIds(id, this.#seen) <= 0)) return;
    this.#seen = id;
    this.#mark();
  };

  /** The participants who have read a message, without its sender. */
  readonly readers = ({ message }: ShownMessage): readonly Participant[] =>
    message.message_id === "" ? [] : readersOf(this.#state.get().members, message);

  /** Says that the user types, or has stopped. Call it with every key: few calls send something. */
  readonly setTyping = (isTyping: boolean): void => this.#typing.set(isTyping);

  #take(event: FeedEvent): void {
    if (!("channel_id" in event) || event.channel_id !== this.#channelId) return;
    const isOwn = "user_id" in event && event.user_id === this.#userId;
    // What happened between two roles came with no event.
    if (event.type === "channel.deleted" || (isOwn && /^(member\.(joined|left)|manager\.)/.test(event.type)))
      this.#members.read();
    else this.#members.take(event);
    this.#slowMode.take(event);
    if (!isOwn) this.#typing.take(event);
  }

  async #sendMark(): Promise<void> {
    const { chat, inbox } = this.#store;
    const [userId, seen] = [this.#userId, this.#seen];
    if (userId === undefined || seen === undefined || seen === this.#marked || globalThis.document?.hidden)
      return;
    const previous = this.#marked;
    this.#marked = seen;
    inbox.takeMark(this.#channelId, seen, false);
    try {
      const { read_message_id } = await chat.channels.members.markRead(this.#channelId, userId, seen);
      // What it leaves unread comes with its event: the response may be older than what happened since. Without the message, the
      // mark is at one before it, and there may be no event.
      if (read_message_id !== seen) inbox.refresh(this.#channelId);
    } catch (error) {
      if (this.#marked === seen) this.#marked = previous;
      inbox.refresh(this.#channelId);
      if (!isChatError(error)) throw error;
      // Otherwise the next message, the next look at the page, or the next connection marks it again.
      if (error.retryable && this.#connections > 0) this.#mark();
    }
  }

  #update(): void {
    this.#state.set(this.#compose());
    const { error } = this.#history.state.get();
    // Who may not see the channel any more keeps nothing of it.
    if (isApiError(error) && !error.retryable) this.#store.keepHistory(this.#channelId, undefined);
    else if (this.#connections > 0) this.#store.keep();
  }

  #compose(): ConversationState {
    const { blocks } = this.#store;
    const history = this.#history.state.get();
    const members = this.#members.list.get();
    const known = this.#shown;
    const byId = new Map(history.messages?.map((stored) => [stored.message.message_id, stored]));
    const messages = [...this.#stored(history, byId), ...this.#unsent(history, byId)].map((shown) => {
      const before = known.get(shown.key);
      return before !== undefined && isSame(before, shown) ? before : shown;
    });
    this.#shown = new Map(messages.map((shown) => [shown.key, shown]));
    if (this.#connections > 0) this.#noteSent(messages);
    const typing = this.#typing.userIds.get();
    return {
      messages,
      hasOlder: history.hasOlder,
      hasNewer: history.hasNewer,
      state: history.error !== undefined ? "failed" : history.messages === undefined ? "loading" : "ready",
      error: history.error ?? history.loadErrors.newer ?? history.loadErrors.older,
      opening: history.opening,
      position: messages.find(({ message }) => message.message_id === history.position)?.key,
      members,
      typing: members.filter((member) => typing.includes(member.user_id) && !blocks.isBlocked(member)),
      slowModeUntil: this.#slowMode.until.get(),
    };
  }

  /** What the user has sent before this page did, and what slow mode has rejected. */
  #noteSent(messages: readonly ShownMessage[]): void {
    const sent = messages.findLast(({ isOwn, status }) => isOwn && status === "sent");
    if (sent !== undefined) this.#slowMode.noteSent(sent.message.created_at);
    for (const { error } of messages) if (error?.retryAt) this.#slowMode.noteRejected(error.retryAt);
  }

  #stored({ messages = [], repliedTo }: HistoryState, byId: StoredById): ShownMessage[] {
    return messages.map(({ message, isDeleted }) => ({
      ...this.#identify(message),
      status: "sent",
      message,
      isBlocked: this.#isBlocked(message),
      isDeleted,
      ...this.#quote(message.reply_to, byId, repliedTo),
    }));
  }

  /** One's own message keeps the key from before it was stored. The `external_id` of another may be any text, also the id of a message. */
  #identify(message: Message): Pick<ShownMessage, "key" | "isOwn"> {
    const me = this.#store.user.get();
    // A deleted user had the same id, if it was created at another time.
    const isOwn =
      message.type !== "system" &&
      message.user.user_id === me?.user_id &&
      message.user.created_at === me.created_at;
    return { key: (isOwn && message.external_id) || message.message_id, isOwn };
  }

  #isBlocked(message: ShownMessage["quote"]): boolean {
    const isFromUser = typeof message === "object" && message.type !== "system";
    return isFromUser && this.#store.blocks.isBlocked(message.user);
  }

  #quote(...[id, messages, repliedTo]: Parameters<typeof findQuote>) {
    const quote = findQuote(id, messages, repliedTo);
    return { quote, isQuoteBlocked: this.#isBlocked(quote) };
  }

  /** They stand at the end of the history, so not below a gap. */
  #unsent({ messages = [], hasNewer, repliedTo }: HistoryState, byId: StoredById): ShownMessage[] {
    const user = this.#store.user.get();
    if (hasNewer || user === undefined) return [];
    const stored = new Set(messages.map(({ message }) => message.external_id));
    return this.#store.outbox.unsent
      .get()
      .filter(({ channelId, key }) => channelId === this.#channelId && !stored.has(key))
      .map((unsent) => ({
        key: unsent.key,
        status: unsent.status,
        message: toMessage(unsent, user),
        isOwn: true,
        isBlocked: false,
        isDeleted: false,
        ...this.#quote(unsent.draft.reply_to, byId, repliedTo),
        error: unsent.error,
        progress: unsent.progress,
      }));
  }
}
