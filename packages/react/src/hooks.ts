import type { ChatClient, User, UserPresence } from "@madang/client";
import { useCallback, useEffect, useMemo, useReducer, useSyncExternalStore } from "react";
import { useChatStore } from "./provider";
import type { Blocks, BlocksState } from "./store/blocks";
import type { Conversation, ConversationState } from "./store/conversation";
import type { Connection } from "./store/feed";
import type { Around, InitialMessages } from "./store/history";
import { type InboxOptions, type InboxState, type InitialChannels, showInitial } from "./store/inbox";
import { Search, type SearchState } from "./store/search";
import type { Store } from "./store/store";

/**
 * The value of a store, now and after each change.
 *
 * @param store A store.
 * @example const { state } = useStore(chatStore.connection);
 */
export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** The SDK, acting as the user of the page: for what the hooks do not cover. */
export const useChat = (): ChatClient => useChatStore().chat;

/** The user of the page. Absent until the service has said it. */
export const useMe = (): User | undefined => useStore(useChatStore().user);

/** Whether events arrive, and `retry` for when `state` is `failed`. */
export function useConnection(): Connection & { readonly isConnected: boolean; readonly retry: () => void } {
  const { connection, retry } = useChatStore();
  const current = useStore(connection);
  return { ...current, isConnected: current.state === "connected", retry };
}

/** What `useInbox` returns. */
export interface InboxView extends InboxState {
  /** Adds the next channels. After a failure, reads the first ones again. */
  readonly loadMore: () => Promise<void>;
}

/** What an inbox shows. */
export interface InboxViewOptions extends InboxOptions {
  /** The first page of `chat.users.channels`, as a server has read it: shown until the page has read it itself. */
  readonly initial?: InitialChannels | undefined;
}

/**
 * The channels of the user, pinned ones first, then by last activity, with their last messages, unread counts and preferences.
 *
 * @param options The filter, whether channels have their participants, and the first page as the server has read it.
 * @example const { channels, unreadCount } = useInbox({ members: true });
 */
export function useInbox({ members = false, filter = "all", initial }: InboxViewOptions = {}): InboxView {
  const { inbox } = useChatStore();
  useEffect(() => inbox.connect({ members, filter }), [inbox, members, filter]);
  const loadMore = useCallback(() => inbox.loadMore(filter), [inbox, filter]);
  return { ...showInitial(useStore(inbox.stateOf(filter)), initial, inbox), loadMore };
}

/** Where to open a conversation. */
export interface ConversationOptions {
  /** The id of a message, or a time in milliseconds since the Unix epoch such as the beginning of a day. Default: the newest messages. */
  readonly around?: Around | undefined;
  /** The first page of `chat.messages.list`, as a server has read it: shown until the page has read it itself. */
  readonly initial?: InitialMessages | undefined;
}

/** What `useConversation` returns. */
export interface ConversationView
  extends ConversationState,
    Omit<Conversation, "connect" | "state" | "toSaved" | "clear"> {}

/**
 * A channel: its messages, those that are not stored yet, who types and who has read what.
 *
 * @param channelId The id of the channel.
 * @param options Where to open it.
 * @example const { messages, send } = useConversation("lunch_01");
 */
export function useConversation(
  channelId: string,
  { around, initial }: ConversationOptions = {},
): ConversationView {
  const store = useChatStore();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown first is given once
  const conversation = useMemo(() => store.conversation(channelId, initial), [store, channelId]);
  useEffect(() => conversation.connect(around), [conversation, around]);
  return { ...actionsOf(conversation), ...useStore(conversation.state) };
}

/**
 * The seconds until a time, such as `slowModeUntil`: 0 when there is none, and when it has passed. It renders once a second until then.
 *
 * @param time In milliseconds since the Unix epoch.
 * @example const seconds = useSecondsUntil(conversation.slowModeUntil);
 */
export function useSecondsUntil(time: number | undefined): number {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const seconds = time === undefined ? 0 : Math.max(0, Math.ceil((time - Date.now()) / 1_000));
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(render, 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return seconds;
}

/** They are functions of their own, so they work without the object. */
function actionsOf({
  connect,
  ...actions
}: Conversation): Omit<Conversation, "connect" | "state" | "toSaved" | "clear"> {
  return actions;
}

/** What `useBlocks` returns. */
export interface BlocksView extends BlocksState, Pick<Blocks, "block" | "unblock" | "isBlocked"> {}

/**
 * The users whom the user of the page has blocked.
 *
 * @example const { users, block, unblock, isBlocked } = useBlocks();
 */
export function useBlocks(): BlocksView {
  const { blocks } = useChatStore();
  const { block, unblock, isBlocked } = blocks;
  return { ...useStore(blocks.state), block, unblock, isBlocked };
}

/** What `usePresence` returns. */
export interface PresenceView {
  /** The presence of the users, by id. Users who share no channel with this user are absent. */
  readonly users: ReadonlyMap<string, UserPresence>;
  /** Whether a user is online. */
  readonly isOnline: (userId: string) => boolean;
}

/**
 * Follows who of these users is online: at most 100 users on a page.
 *
 * @param userIds The users whose presence the component shows.
 * @example const { isOnline } = usePresence(channel.members.map(({ user_id }) => user_id));
 */
export function usePresence(userIds: readonly string[]): PresenceView {
  const { presence } = useChatStore();
  const ids = userIds.join();
  useEffect(() => (ids === "" ? undefined : presence.watch(ids.split(","))), [presence, ids]);
  const users = useStore(presence.state);
  return { users, isOnline: (userId) => users.get(userId)?.status === "online" };
}

/** What `useSearch` returns. */
export interface SearchView extends SearchState {
  /** Adds more results. */
  readonly loadMore: () => Promise<void>;
}

/**
 * The messages of the user that contain each term of a text, newest first.
 *
 * @param text What to search for. It may change with every key.
 * @param channelId Only messages of this channel.
 * @example const { messages, loadMore } = useSearch(text);
 */
export function useSearch(text: string, channelId?: string): SearchView {
  const store = useChatStore();
  const search = useMemo(() => new Search(store, channelId), [store, channelId]);
  useEffect(() => {
    search.search(text);
    return () => search.cancel();
  }, [search, text]);
  return { ...useStore(search.state), loadMore: search.loadMore };
}
