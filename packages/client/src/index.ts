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
export type * from "./generated/resources";
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
  Trace,
} from "./options";
export type { ListOptions, Page } from "./paging/page";
export type { ForEachOptions, Pager } from "./paging/pager";
export type { BlobLike, Fetch, FetchInit, ResponseLike, Signal, Stream } from "./platform";
export { createRandomId } from "./random-id";
export type { Raw, RawResponse, ResponseMeta } from "./raw";
export type { Channels, CreatedChannel } from "./resources/channels";
export type { EventQuery, Events } from "./resources/events";
export type { ExportPage, ExportRange, Exports } from "./resources/exports";
export type { Files, UploadOptions } from "./resources/files";
export type { Ending, MessageWriter, NewStreamedMessage } from "./resources/message-writer";
export type { FileToSend, Messages, SendOptions } from "./resources/messages";
export type { RequestParts } from "./transport/request";
