export { ChatStore, type ChatStoreOptions } from "./chat-store";
export { Conversation, type ConversationState } from "./conversation";
export { type Connection, Feed, type FeedEvent, type FeedListener } from "./feed";
export { type Around, History, type HistoryState, type InitialMessages, type StoredMessage } from "./history";
export type { Inbox, InboxOptions, InboxState, InitialChannels } from "./inbox";
export type { Draft, Outbox, UnsentMessage } from "./outbox";
export { Search, type SearchState } from "./search";
export type { ShownMessage } from "./shown-message";
export { createStore, type Store, type WritableStore } from "./store";
