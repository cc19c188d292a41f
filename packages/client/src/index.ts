export type { ChannelManagers } from "./channel-managers";
export type { ChannelMembers, ReadOptions } from "./channel-members";
export type { Channels, CreatedChannel } from "./channels";
export type { ErrorFields, ErrorKind, InvalidField } from "./chat-error";
export { ChatError, isChatError } from "./chat-error";
export { ChatClient } from "./client";
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  isApiError,
  NotFoundError,
  PaginationError,
  ParseError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "./errors";
export type { EventQuery, Events } from "./events";
export type { ExportPage, ExportRange, Exports } from "./exports";
export type * from "./generated/types";
export { ids } from "./ids";
export type { ImportedMessages, Imports } from "./imports";
export type { Keys } from "./keys";
export type { EventType, ListenOptions, ReceivedEvent } from "./listen-options";
export type { MessageListPage, MessageRange, Messages } from "./messages";
export type {
  CallOptions,
  ClientOptions,
  KeyFunction,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
} from "./options";
export type { ListOptions, Page } from "./page";
export type { ForEachOptions, Pager } from "./pager";
export type { Fetch, FetchInit, ResponseLike, Signal, Stream } from "./platform";
export type { Raw, RawResponse, ResponseMeta } from "./raw";
export type { RequestParts } from "./request";
export type { UserMeta } from "./user-meta";
export type { UserFilter, Users } from "./users";
export type { AttemptListOptions, Webhooks } from "./webhooks";
