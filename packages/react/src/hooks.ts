import type { ChatClient, User } from "@madang/client";
import { useEffect, useMemo, useSyncExternalStore } from "react";
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
 * The channels of the user by last activity, with their last messages and unread counts.
 *
 * @param options Whether they have their participants, and what to show first.
 * @example const { channels, unreadCount } = useInbox({ members: true });
 */
export function useInbox({ members = false, initial }: InboxViewOptions = {}): InboxView {
  const { inbox } = useChatStore();
  useEffect(() => inbox.connect({ members }), [inbox, members]);
  return { ...showInitial(useStore(inbox.state), initial), loadMore: inbox.loadMore };
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
