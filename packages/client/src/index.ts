export type {
  Channel,
  ChannelCalls,
  ChannelChange,
  ChannelWithMembers,
  CreatedChannel,
  NewChannel,
} from "./channels";
export { ChatClient } from "./client";
export type { ErrorCode, ErrorCodes, Operation } from "./error-codes";
export type { ErrorFields, ErrorKind, InvalidField } from "./errors";
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ChatError,
  ConflictError,
  ConnectionError,
  isChatError,
  isRefusal,
  NotFoundError,
  PaginationError,
  ParseError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "./errors";
export type { ExportCalls, ExportPage, ExportRange } from "./exports";
export type { KeyCalls, SubKey } from "./keys";
export type { ManagerCalls } from "./managers";
export type { MemberCalls, MemberEntry } from "./members";
export type {
  FileMessage,
  FileReference,
  Message,
  MessageCalls,
  NewFileMessage,
  NewMessage,
  NewTextMessage,
  TextMessage,
} from "./messages";
export type {
  CallOptions,
  Check,
  ClientOptions,
  KeyFunction,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from "./options";
export type { ListOptions, Page } from "./page";
export type { ForEachOptions, Pager } from "./pager";
export type { Fetch, FetchInit, ResponseLike, Signal, Stream } from "./platform";
export type { AnswerMeta, Raw, RawAnswer } from "./raw";
export type { UserMetaCalls } from "./user-meta";
export type { Meta, NewUser, User, UserCalls, UserChange, UserFilter } from "./users";
