// For frameworks whose components run on the server unless they say otherwise, such as Next.js.
"use client";

export type { Message, Participant, Preferences, PreferencesChange, User, UserChannel } from "@madang/client";
export {
  type BlocksView,
  type ConversationOptions,
  type ConversationView,
  type InboxView,
  type InboxViewOptions,
  type PresenceView,
  type SearchView,
  useBlocks,
  useChat,
  useConnection,
  useConversation,
  useInbox,
  useMe,
  usePresence,
  useSearch,
  useSecondsUntil,
  useStore,
} from "./hooks";
export { ChatProvider, type ChatProviderProps, useChatStore } from "./provider";
export type { BlocksState } from "./store/blocks";
export type { ConversationState } from "./store/conversation";
export type { Connection } from "./store/feed";
export type { Around, InitialMessages } from "./store/history";
export type { InboxOptions, InboxState, InitialChannels } from "./store/inbox";
export type { InboxLine } from "./store/inbox-line";
export type { Draft } from "./store/outbox";
export type { InboxFilter } from "./store/preferences";
export type { ChatStorage } from "./store/saved";
export type { SearchState } from "./store/search";
export type { SendError } from "./store/send-error";
export type { ShownMessage } from "./store/shown-message";
export { type ScrolledList, useScroll } from "./use-scroll";
