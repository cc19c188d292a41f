import {
  type ChatClient,
  isApiError,
  type Message,
  type MessageListPage,
  type ReceivedAppend,
  type ReceivedEvent,
} from "@madang/client";
import { fetchMessages } from "../../api/messages";
import { isGone } from "../../api/query-client";
import { createStore } from "../../api/store";

/** A message as the page shows it. One that is deleted while the page is open stays as a mark. */
export interface ShownMessage {
  readonly message: Message;
  readonly isDeleted: boolean;
}

export interface ConversationState {
  /** Oldest first. Absent until the first page is there. */
  readonly messages: readonly ShownMessage[] | undefined;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Whether the message that the conversation was opened around does not exist. */
  readonly isTargetGone: boolean;
  /** Changes whenever the conversation is opened anew. */
  readonly opening: number;
  /** The message to show first: the one that the conversation was opened around, otherwise the last one before it. */
  readonly position: string | undefined;
  /** Why the conversation could not be opened. */
  readonly error: unknown;
  /** Why it does not follow what happens any more. */
  readonly followError: unknown;
  /** What messages reply to, by id, where it is not among them. Undefined: it was deleted. */
  readonly repliedTo: ReadonlyMap<string, Message | undefined>;
  /** Why older or newer messages could not be added, until they are. */
  readonly loadErrors: { readonly older?: unknown; readonly newer?: unknown };
}

interface PageOfMessages {
  messages: ShownMessage[];
  /** The cursor of the older messages. */
  readonly older: string | undefined;
  /** The cursor of what comes after the newest message. */
  newer: string;
}

const pageSize = 50;
/** Pages that are kept. Those on the other end are dropped, so that the page stays fast however far its reader scrolls. */
const maxPages = 8;

/** A part of the history of a channel that grows in both directions and follows what happens. */
export class ConversationWindow {
  readonly state = createStore<ConversationState>({
    messages: undefined,
    hasOlder: false,
    hasNewer: false,
    isTargetGone: false,
    opening: 0,
    position: undefined,
    error: undefined,
    followError: undefined,
    repliedTo: new Map(),
    loadErrors: {},
  });
  readonly #chat: ChatClient;
  readonly #channelId: string;
  readonly #controller = new AbortController();
  /** Oldest first. */
  #pages: PageOfMessages[] = [];
  /** The opening and the loads since then, which run one after the other. */
  #loads: Promise<void> = Promise.resolve();
  /** Whether it waits or runs. */
  #isOlderQueued = false;
  /** Whether it waits: once it runs, what comes then needs another. */
  #isNewerQueued = false;
  /** The texts of messages that are being written, by id: they may arrive before the message itself. */
  readonly #growing = new Map<string, string>();
  /** Counts the openings: what an earlier one fetched is not shown any more. */
  #opening = 0;

  constructor(chat: ChatClient, channelId: string) {
    this.#chat = chat;
    this.#channelId = channelId;
  }

  /**
   * Shows the newest messages, or those around a message. A deleted message still has its position in the history; with an id that no
   * message ever had, the newest messages are shown.
   */
  async open(around?: string): Promise<void> {
    this.#opening += 1;
    this.#isOlderQueued = false;
    this.#isNewerQueued = false;
    this.#loads = this.#openAround(around, this.#opening);
    await this.#loads;
  }

  async #openAround(around: string | undefined, opening: number): Promise<void> {
    try {
      const found = around === undefined ? undefined : await this.#listAround(around);
      const page = found ?? (await this.#list({ pageSize }));
      if (opening !== this.#opening) return;
      this.#pages = [toPage(page)];
      const position = around && findPosition(page, around);
      this.#set({
        opening,
        position,
        isTargetGone: position !== around,
        hasNewer: found !== undefined,
        error: undefined,
        loadErrors: {},
      });
      void this.#loadRepliedTo();
    } catch (error) {
      if (opening !== this.#opening) return;
      this.#pages = [];
      this.#set({ error, loadErrors: {} });
    }
  }

  /** Adds what came before the oldest message that is shown. Until that is done, further calls have no effect. */
  async loadOlder(): Promise<void> {
    if (this.#isOlderQueued) return;
    this.#isOlderQueued = true;
    await this.#enqueue(async (opening) => {
      const page = await this.#listFrom("older", this.#pages[0]?.older, opening);
      if (opening !== this.#opening) return;
      this.#isOlderQueued = false;
      if (page === undefined) return;
      this.#pages.unshift(toPage(page));
      const isCut = this.#pages.length > maxPages;
      if (isCut) this.#pages.pop();
      this.#set({ ...(isCut && { hasNewer: true }), ...this.#loadErrorAt("older", undefined) });
      void this.#loadRepliedTo();
    });
  }

  /** Adds what came after the newest message that is shown. However many calls there are during a request, one more follows it. */
  async loadNewer(): Promise<void> {
    if (this.#isNewerQueued) return this.#loads;
    this.#isNewerQueued = true;
    await this.#enqueue(async (opening) => {
      this.#isNewerQueued = false;
      let count: number;
      do {
        const last = this.#pages.at(-1);
        const page = await this.#listFrom("newer", last?.newer, opening);
        if (last === undefined || page === undefined || opening !== this.#opening) return;
        this.#append(last, page);
        count = page.items.length;
        // A page of large messages is short, and only an empty one is the end.
      } while (count > 0 && count < pageSize);
      this.#set({ hasNewer: count > 0, ...this.#loadErrorAt("newer", undefined) });
      void this.#loadRepliedTo();
    });
  }

  /** Without it, a reply only says that it is one. */
  async #loadRepliedTo(): Promise<void> {
    const { messages = [], repliedTo } = this.state.get();
    const known = new Set([...repliedTo.keys(), ...messages.map(({ message }) => message.message_id)]);
    const ids = new Set(
      messages.flatMap(({ message }) => message.reply_to ?? []).filter((id) => !known.has(id)),
    );
    if (ids.size === 0) return;
    const found = await fetchMessages(this.#chat, this.#channelId, [...ids]).catch(() => undefined);
    if (found === undefined) return;
    for (const id of ids) this.#setRepliedTo(id, found.get(id));
  }

  #setRepliedTo(id: string, message: Message | undefined): void {
    this.#set({ repliedTo: new Map([...this.state.get().repliedTo, [id, message]]) });
  }

  /** Loads again what could not be loaded. */
  retry(): void {
    const { older, newer } = this.state.get().loadErrors;
    if (older !== undefined) void this.loadOlder();
    if (newer !== undefined) void this.loadNewer();
  }

  /** Runs one load after the other: each continues from the pages that the one before has left. */
  #enqueue(load: (opening: number) => Promise<void>): Promise<void> {
    const opening = this.#opening;
    this.#loads = this.#loads.then(() => (opening === this.#opening ? load(opening) : undefined));
    return this.#loads;
  }

  #append(last: PageOfMessages, page: MessageListPage): void {
    const known = new Set(last.messages.map(({ message }) => message.message_id));
    const added = toPage(page);
    added.messages = added.messages.filter(({ message }) => !known.has(message.message_id));
    if (last.messages.length + added.messages.length <= pageSize) {
      last.messages = [...last.messages, ...added.messages];
      last.newer = added.newer;
    } else {
      this.#pages.push(added);
      if (this.#pages.length > maxPages) this.#pages.shift();
    }
  }

  /**
   * Follows the channel until `close`: from before the first page on, so that nothing is missed between the two. When the events
   * cannot go on where they were, the conversation is opened again.
   */
  async follow(onOther: (event: ReceivedEvent) => void): Promise<void> {
    const { signal } = this.#controller;
    this.#set({ followError: undefined });
    try {
      const { next } = await this.#chat.events.list({ after: "latest" }, { signal });
      await this.loadNewer();
      const events = this.#chat.events.listen({
        after: next,
        channel_id: this.#channelId,
        live: true,
        signal,
      });
      for await (const event of events) {
        if (event.type === "message.appended") this.#grow(event);
        else if (event.type !== "signal" && !this.#apply(event)) onOther(event);
      }
    } catch (error) {
      if (isLost(error)) {
        void this.open();
        return this.follow(onOther);
      }
      this.#set({ followError: error });
    }
  }

  close(): void {
    this.#controller.abort();
  }

  /** Returns false for an event that is not about messages. */
  #apply(event: ReceivedEvent): boolean {
    switch (event.type) {
      case "message.created":
      case "messages.imported":
        void this.#showLatest();
        return true;
      case "message.updated":
      case "message.pinned":
      case "message.unpinned": {
        const { message } = event.data;
        if (message && !isWritten(message)) this.#growing.delete(message.message_id);
        if (message) this.#change(message.message_id, () => ({ message, isDeleted: false }));
        return true;
      }
      case "message.deleted":
        this.#growing.delete(event.data.message_id);
        this.#change(event.data.message_id, ({ message }) => ({ message, isDeleted: true }));
        return true;
      case "reaction.added":
      case "reaction.removed":
        void this.#refresh(event.data.message_id);
        return true;
      default:
        return false;
    }
  }

  #grow({ data, content }: ReceivedAppend): void {
    this.#growing.set(data.message_id, content);
    this.#set({});
  }

  /** Further up in the history, new messages are fetched when the reader gets there. */
  async #showLatest(): Promise<void> {
    await this.#loads;
    if (!this.state.get().hasNewer) await this.loadNewer();
  }

  async #refresh(messageId: string): Promise<void> {
    if (!this.state.get().messages?.some(({ message }) => message.message_id === messageId)) return;
    // It may be deleted by now, which another event says.
    const message = await this.#chat.messages.get(this.#channelId, messageId).catch(() => undefined);
    if (message) this.#change(messageId, (shown) => ({ ...shown, message }));
  }

  #change(messageId: string, change: (shown: ShownMessage) => ShownMessage): void {
    const repliedTo = this.state.get().repliedTo.get(messageId);
    if (repliedTo !== undefined) {
      const { message, isDeleted } = change({ message: repliedTo, isDeleted: false });
      this.#setRepliedTo(messageId, isDeleted ? undefined : message);
    }
    const page = this.#pages.find(({ messages }) =>
      messages.some(({ message }) => message.message_id === messageId),
    );
    if (page === undefined) return;
    page.messages = page.messages.map((shown) =>
      shown.message.message_id === messageId ? change(shown) : shown,
    );
    this.#set({});
  }

  #listAround(around: string): Promise<MessageListPage | undefined> {
    return this.#list({ pageSize, around }).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
  }

  /** Nothing without a cursor, and when the page cannot be fetched, which the state says. */
  async #listFrom(
    end: "older" | "newer",
    cursor: string | undefined,
    opening: number,
  ): Promise<MessageListPage | undefined> {
    if (cursor === undefined) return undefined;
    try {
      return await this.#list({ cursor });
    } catch (error) {
      if (opening === this.#opening) this.#set(this.#loadErrorAt(end, error));
      return undefined;
    }
  }

  #loadErrorAt(end: "older" | "newer", error: unknown): Pick<ConversationState, "loadErrors"> {
    return { loadErrors: { ...this.state.get().loadErrors, [end]: error } };
  }

  #list(range: Parameters<ChatClient["messages"]["list"]>[1]): Promise<MessageListPage> {
    const { signal } = this.#controller;
    return this.#chat.messages.list(this.#channelId, range, { signal }).firstPage();
  }

  /** A message that is being written only grows: what was read may be older than what has arrived since. */
  #withText(shown: ShownMessage): ShownMessage {
    const { message } = shown;
    const content = this.#growing.get(message.message_id) ?? "";
    if (message.type === "file" || !isWritten(message) || content.length <= message.content.length)
      return shown;
    return { ...shown, message: { ...message, content } };
  }

  /** Changes the state, also to what the pages say. */
  #set(change: Partial<ConversationState>): void {
    const [first] = this.#pages;
    this.state.set({
      ...this.state.get(),
      messages:
        first && this.#pages.flatMap(({ messages }) => messages.map((shown) => this.#withText(shown))),
      hasOlder: first?.older !== undefined,
      ...change,
    });
  }
}

const isWritten = (message: Message) => message.type !== "file" && message.state === "streaming";

/** Only a list of ids has no `newer`. */
function toPage({ items, nextCursor, newer = "" }: MessageListPage): PageOfMessages {
  const messages = items.map((message) => ({ message, isDeleted: false })).reverse();
  return { messages, older: nextCursor, newer };
}

/** The message itself, otherwise the last one before it: an id begins with the time of its message. */
function findPosition({ items }: MessageListPage, messageId: string): string | undefined {
  if (items.some(({ message_id }) => message_id === messageId)) return messageId;
  const time = Number(messageId.split("-")[0]);
  return (items.find(({ created_at }) => created_at <= time) ?? items.at(-1))?.message_id;
}

const isLost = (error: unknown) =>
  isApiError(error, "events.listen") && (error.code === "events_expired" || error.code === "invalid_cursor");
