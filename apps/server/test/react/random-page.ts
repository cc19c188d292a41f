import { AsyncLocalStorage } from "node:async_hooks";
import { ChatClient, isChatError, type Message, type Participant, type UserChannel } from "@madang/client";
import { ChatStore, Conversation, type InboxFilter, type InboxState, Search } from "@madang/react/store";
import { vi } from "vitest";
import { FaultyFetch } from "./faulty-fetch";
import type { Random } from "./random";

/** The storage of the tab whose code runs. */
const tab = new AsyncLocalStorage<Map<string, string>>();

/** Pages that run at once have a `sessionStorage` each, as tabs have. */
export function stubTabs(): void {
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => tab.getStore()?.get(key) ?? null,
    setItem: (key: string, value: string) => tab.getStore()?.set(key, value),
    removeItem: (key: string) => tab.getStore()?.delete(key),
  });
}

/** What a page needs of the service. */
export interface Service {
  readonly url: string;
  createToken(userId: string): Promise<{ token: string; expires_at: number }>;
}

/** What pages have sent, by `external_id`, unless it was given up or deleted by its sender. */
export type Sent = Map<string, { readonly channelId: string; readonly userId: string }>;

interface Opened {
  readonly channelId: string;
  readonly view: Conversation;
  leave(): void;
}

/** A tab of a user with a bad connection, and what it shows compared with what the service returns to this user. */
export class RandomPage {
  readonly userId: string;
  readonly faults: FaultyFetch;
  readonly #random: Random;
  readonly #service: Service;
  readonly #sent: Sent;
  /** The same user with a good connection. */
  readonly #truth: ChatClient;
  readonly #storage = new Map<string, string>();
  #store!: ChatStore;
  #conversations: Opened[] = [];
  #search!: Search;
  /** Which list it shows beside that of all channels. */
  #filter!: InboxFilter;
  #leave: (() => void)[] = [];

  constructor(service: Service, userId: string, random: Random, sent: Sent) {
    this.userId = userId;
    this.#service = service;
    this.#random = random;
    this.#sent = sent;
    this.faults = new FaultyFetch(random);
    const token = () => service.createToken(userId);
    this.#truth = new ChatClient({ baseUrl: service.url, token, timeoutMs: 600_000 });
    this.open();
  }

  open(): void {
    tab.run(this.#storage, () => {
      const { url, createToken } = this.#service;
      this.#store = new ChatStore({ url, token: () => createToken(this.userId), fetch: this.faults.fetch });
      this.#search = new Search(this.#store);
      const { inbox } = this.#store;
      const filter = this.#random.pick(["unread", "archived", "hidden"] as const) ?? "all";
      this.#filter = filter;
      this.#leave = [this.#store.connect(), inbox.connect(), inbox.connect({ filter })];
    });
  }

  close(): void {
    tab.run(this.#storage, () => {
      this.#search.cancel();
      for (const { leave } of this.#conversations) leave();
      for (const leave of this.#leave) leave();
    });
    this.#conversations = [];
  }

  /** Does something that a person could do. */
  act(channelIds: readonly string[], text: string): Promise<void> {
    return tab.run(this.#storage, () => this.#act(channelIds, text));
  }

  async #act(channelIds: readonly string[], text: string): Promise<void> {
    const random = this.#random;
    const channelId = random.pick(channelIds) ?? "";
    const opened = random.pick(this.#conversations);
    if (opened === undefined || (this.#conversations.length < 2 && random.chance(0.3)))
      return this.#openConversation(channelId);
    const { view } = opened;
    const { messages, state } = view.state.get();
    const shown = random.pick(messages);
    const stored = random.pick(messages.filter(({ status, isDeleted }) => status === "sent" && !isDeleted));
    switch (random.below(15)) {
      case 0:
      case 1:
      case 2:
        view.send({
          content: `lunch ${text}`,
          ...(stored && random.chance(0.3) && { reply_to: stored.message.message_id }),
        });
        // Before its user is known, a page that closes forgets it.
        if (this.#store.user.get() === undefined) return;
        this.#sent.set(this.#store.outbox.unsent.get().at(-1)?.key ?? "", {
          channelId: opened.channelId,
          userId: this.userId,
        });
        return;
      case 3:
        return view.markRead(shown?.key);
      case 4:
        return view.markRead();
      case 5:
        return stored && ignoreErrors(view.react(stored, random.pick(["👍", "🎉"]) ?? ""));
      case 6:
        return stored?.isOwn ? ignoreErrors(view.edit(stored, `${text}, edited`)) : undefined;
      case 7:
        if (!stored?.isOwn) return;
        this.#sent.delete(stored.key);
        return ignoreErrors(view.remove(stored));
      case 8:
        return void (random.chance(0.5) ? view.loadOlder() : view.loadNewer());
      case 9:
        return void view.open(random.chance(0.5) ? stored?.message.message_id : undefined);
      case 10:
        return void this.#store.inbox.loadMore(random.chance(0.5) ? this.#filter : "all");
      case 11:
        return this.#search.search(random.pick(["lunch", "dinner", "edited"]) ?? "");
      case 12:
        return this.#leaveConversation(opened);
      case 13: {
        const line = random.pick(
          this.#store.inbox.stateOf(random.pick(["all", this.#filter] as const) ?? "all").get().channels,
        );
        const change = random.pick([
          { pinned: true },
          { archived: true },
          { archived: false },
          { hidden: true },
          { notify: "none" },
        ] as const);
        return line && change && ignoreErrors(line.setPreferences(change));
      }
      default:
        return state === "failed" ? view.reload() : view.setTyping(true);
    }
  }

  #openConversation(channelId: string): void {
    if (this.#conversations.some((one) => one.channelId === channelId)) return;
    const view = new Conversation(this.#store, channelId);
    this.#conversations.push({ channelId, view, leave: view.connect() });
  }

  #leaveConversation(opened: Opened): void {
    opened.leave();
    this.#conversations = this.#conversations.filter((one) => one !== opened);
  }

  /** What a person does who wants everything sent: what failed is tried again or given up. */
  settle(): void {
    tab.run(this.#storage, () => {
      if (this.#store.connection.get().state === "failed") this.#store.retry();
      for (const { key, status } of this.#store.outbox.unsent.get())
        if (status === "failed") {
          this.#store.outbox.discard(key);
          this.#sent.delete(key);
        }
    });
  }

  /** Every difference between what the page shows and what the service returns. Empty: there is none, and nothing is on its way. */
  async differences(): Promise<string[]> {
    const { connection, inbox, outbox } = this.#store;
    const before = [this.#store, this.faults.running] as const;
    const found = [
      connection.get().state === "connected" ? [] : [`The connection is ${connection.get().state}.`],
      this.faults.running > 0 ? ["A request is on its way."] : [],
      outbox.unsent.get().map(({ draft, status }) => `"${draft.content}" is ${status}.`),
      await this.#compareInbox("all", inbox.state.get()),
      await this.#compareInbox(this.#filter, inbox.stateOf(this.#filter).get()),
      await this.#compareSearch(),
    ];
    for (const opened of this.#conversations) found.push(await this.#compareConversation(opened));
    if (before[0] !== this.#store) found.push(["The page was opened anew."]);
    return found.flat().map((difference) => `${this.userId}: ${difference}`);
  }

  async #compareInbox(filter: InboxFilter, shown: InboxState): Promise<string[]> {
    const about = `The inbox (${filter})`;
    const { users } = this.#truth;
    const list = (query: object) =>
      users.channels(this.userId, { ...query, pageSize: 30 }).toArray({ max: 1_000 });
    const lines = await list(filter === "all" ? {} : { [filter]: true });
    const { unread_count: unreadCount } = await users.unread(this.userId);
    if (shown.state !== "ready") return [`${about} is ${shown.state}: ${describe(shown.error)}`];
    const byId = new Map(lines.map((line) => [line.channel_id, line]));
    const differences = shown.channels.flatMap((line) => {
      const found = byId.get(line.channel_id);
      return found === undefined
        ? [`${about} has ${line.channel_id}.`]
        : compare(`The line of ${line.channel_id}`, lineOf(line), lineOf(found));
    });
    const isPinned = ({ preferences }: UserChannel) => preferences?.pinned_at !== undefined;
    const ordered = [...lines.filter(isPinned), ...lines.filter((line) => !isPinned(line))];
    const expected = ordered.slice(0, shown.channels.length);
    if (String(shown.channels.map(activityOf)) !== String(expected.map(activityOf)))
      differences.push(`${about} shows ${shown.channels.map(nameOf)} for ${expected.map(nameOf)}.`);
    if (shown.channels.length < Math.min(30, lines.length))
      differences.push(`${about} has ${shown.channels.length} of ${lines.length} channels.`);
    // All channels may be shown before a page without any says so.
    if (!shown.hasMore && shown.channels.length < lines.length)
      differences.push(`${about} has ${shown.channels.length} of ${lines.length} channels, and no more.`);
    if (shown.unreadCount !== unreadCount)
      differences.push(`${shown.unreadCount} messages are unread, not ${unreadCount}.`);
    return differences;
  }

  async #compareConversation({ channelId, view }: Opened): Promise<string[]> {
    const [messages, me, members] = await Promise.all([
      this.#truth.messages
        .list(channelId, { pageSize: 100, as_user: this.userId })
        .toArray({ max: 10_000 })
        .catch(toCode),
      this.#truth.users.get(this.userId),
      this.#truth.channels.members.list(channelId).catch(toCode),
    ]);
    const state = view.state.get();
    const shown = state.messages.filter(({ status, isDeleted }) => status === "sent" && !isDeleted);
    const about = `The conversation ${channelId}`;
    if (typeof messages === "string" || typeof members === "string") {
      const code = isChatError(state.error) ? state.error.code : state.error;
      if (state.messages.length > 0) return [`${about} shows messages to somebody who may not see them.`];
      if (state.members.length > 0) return [`${about} shows members to somebody who may not see them.`];
      return code === messages ? [] : [`${about} is ${state.state} with ${describe(code)}, not ${messages}.`];
    }
    if (state.state !== "ready") return [`${about} is ${state.state}: ${describe(state.error)}`];
    const differences = state.error === undefined ? [] : [`${about} has the error ${describe(state.error)}`];
    const stored = messages.reverse();
    const first = stored.findIndex(({ message_id }) => message_id === shown[0]?.message.message_id);
    const begin = shown.length === 0 ? (state.hasOlder ? stored.length : 0) : first;
    const end = state.hasNewer ? begin + shown.length : stored.length;
    const expected = stored.slice(state.hasOlder ? begin : 0, end);
    const ids = (list: readonly Message[]) =>
      list.map(({ message_id }) => message_id.split("-")[1]).join(" ");
    const shownIds = ids(shown.map(({ message }) => message));
    if (first === -1 && shown.length > 0) differences.push(`${about} begins with a message that is gone.`);
    else if (shownIds !== ids(expected))
      differences.push(`${about} shows ${shownIds} for ${ids(expected)} of ${ids(stored)}.`);
    const byId = new Map(stored.map((message) => [message.message_id, message]));
    for (const { message, isOwn, quote } of shown) {
      const found = byId.get(message.message_id);
      if (found === undefined) continue;
      const name = `${about}: ${message.message_id}`;
      differences.push(...compare(name, messageOf(message), messageOf(found)));
      const isTrulyOwn =
        found.type !== "system" &&
        found.user.user_id === me.user_id &&
        found.user.created_at === me.created_at;
      if (isOwn !== isTrulyOwn) differences.push(`${name} is ${isOwn ? "own" : "of another user"}.`);
      const quoted = found.reply_to === undefined ? undefined : (byId.get(found.reply_to) ?? "deleted");
      differences.push(...compare(`${name}, its quote,`, textOf(quote), textOf(quoted)));
    }
    const marks = (list: readonly Participant[]) =>
      list.map(({ user_id, read_message_id }) => ({ user_id, read_message_id }));
    differences.push(
      ...compare(`${about}: the members`, sorted(marks(state.members)), sorted(marks(members))),
    );
    return differences;
  }

  async #compareSearch(): Promise<string[]> {
    const { messages, isSearching, error } = this.#search.state.get();
    if (isSearching) return ["A search goes on."];
    // Its own service is not repeated: a person searches again.
    if (error !== undefined) return [];
    const differences = [];
    for (const message of messages) {
      const found = await this.#truth.messages
        .get(message.channel_id, message.message_id, { as_user: this.userId })
        .catch(toCode);
      if (typeof found === "string") differences.push(`The search shows ${message.message_id}: ${found}.`);
      else differences.push(...compare("A result of the search", textOf(message), textOf(found)));
    }
    return differences;
  }
}

const describe = (value: unknown) =>
  value instanceof Error ? `${value.name}: ${value.message}` : String(value);

function compare(name: string, shown: unknown, expected: unknown): string[] {
  const [one, other] = [JSON.stringify(shown), JSON.stringify(expected)];
  return one === other ? [] : [`${name} is ${one} for ${other}.`];
}

const toCode = (error: unknown): string => {
  if (isChatError(error) && error.code !== undefined) return error.code;
  throw error;
};

async function ignoreErrors(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isChatError(error)) throw error;
  });
}

const activityOf = ({ last_message, joined_at }: UserChannel) => last_message?.created_at ?? joined_at;
const nameOf = (line: UserChannel) => `${line.channel_id}@${activityOf(line)}`;
const sorted = <Item extends { user_id: string }>(list: Item[]) =>
  list.sort((one, other) => (one.user_id < other.user_id ? -1 : 1));

const textOf = (message: Message | "deleted" | undefined) =>
  typeof message === "object" && message.type !== "file" ? message.content : message;

/** What a line shows: of its last message neither reactions nor replies. */
const lineOf = ({ last_message, ...line }: UserChannel) => ({
  ...Object.fromEntries(Object.entries(line).sort()),
  last: [last_message?.message_id, textOf(last_message)],
});

/** In one order. Names of users change without an event for the page. */
const messageOf = (message: Message) => {
  const { user, ...others } = message as Message & { user?: unknown };
  return Object.fromEntries(Object.entries(others).sort());
};
