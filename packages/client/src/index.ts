export { ChatClient } from "./client";
export type { ErrorFields, ErrorKind, InvalidField } from "./errors/chat-error";
export { ChatError, isChatError } from "./errors/chat-error";
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  isApiError,
  MessageEndedError,
  NotFoundError,
  PaginationError,
  ParseError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "./errors/errors";
export type {
  EventType,
  ListenOptions,
  ListenTransport,
  LiveEventType,
  LiveListenOptions,
  ReceivedAppend,
  ReceivedEvent,
  ReceivedLiveEvent,
} from "./events/listen-options";
export type { OnProgress } from "./files/byte-fetch";
export type { FileSource, PhoneFile } from "./files/source";
export type * from "./generated/types";
export { ids } from "./ids";
export type {
  CallOptions,
  ClientOptions,
  KeyFunction,
  ReceivedToken,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
  SessionOptions,
  SharedOptions,
  TokenFunction,
  TokenOptions,
} from "./options";
export type { ListOptions, Page } from "./paging/page";
export type { ForEachOptions, Pager } from "./paging/pager";
export type { BlobLike, Fetch, FetchInit, ResponseLike, Signal, Stream } from "./platform";
export { createRandomId } from "./random-id";
export type { Raw, RawResponse, ResponseMeta } from "./raw";
export type { Audit, AuditListOptions } from "./resources/audit";
export type { BanListOptions, ChannelBans } from "./resources/channel-bans";
export type { ChannelManagers } from "./resources/channel-managers";
export type { ChannelMembers } from "./resources/channel-members";
export type { ChannelFilter, ChannelMeta, Channels, CreatedChannel, PinRange } from "./resources/channels";
export type { EventQuery, Events } from "./resources/events";
export type { ExportPage, ExportRange, Exports } from "./resources/exports";
export type { Files, UploadOptions } from "./resources/files";
export type { ImportedMessages, Imports } from "./resources/imports";
export type { Keys } from "./resources/keys";
export type { ReactionListOptions, Reactions } from "./resources/message-reactions";
export type { Ending, MessageWriter, NewStreamedMessage } from "./resources/message-writer";
export type {
  FileToSend,
  MessageListPage,
  MessageQuery,
  MessageRange,
  Messages,
  ReplyRange,
  SendOptions,
} from "./resources/messages";
export type { ErasureListOptions, PersonalPage, PersonalPageOptions, Privacy } from "./resources/privacy";
export type { ReportListOptions, Reports } from "./resources/reports";
export type { Signals } from "./resources/signals";
export type { Usage } from "./resources/usage";
export type {
  InboxFilter,
  UserBanRange,
  UserFilter,
  UserMessageQuery,
  UserMessageRange,
  UserMeta,
  Users,
} from "./resources/users";
export type { AttemptListOptions, Webhooks } from "./resources/webhooks";
export type { RequestParts } from "./transport/request";
export type { Trace } from "./transport/trace";
