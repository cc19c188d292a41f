export { ChatStore, type ChatStoreOptions } from "./chat-store";
export { Conversation, type ConversationState } from "./conversation";
export { type Connection, Feed, type FeedEvent, type FeedListener } from "./feed";
export { type Around, History, type HistoryState, type StoredMessage } from "./history";
export type { Inbox, InboxState } from "./inbox";
export type { Draft, Outbox, UnsentMessage } from "./outbox";
export { Search, type SearchState } from "./search";
export type { ShownMessage } from "./shown-message";
export { createStore, type Store, type WritableStore } from "./store";
