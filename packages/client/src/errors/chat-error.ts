import type { ErrorCode, Message, Operation } from "../generated/types";

/** `api`: the service responded with an error. The other kinds are failures without such a response. */
export type ErrorKind = "api" | "timeout" | "connection" | "abort" | "parse" | "validation" | "pagination";

/** One broken rule of a call. */
export interface InvalidField {
  /** The part of the request; `option` is an option of the SDK. */
  in: "body" | "query" | "path" | "header" | "option";
  /** The dotted name of the field, e.g. `meta.team` or `members.1`; empty for the whole part. */
  path: string;
  /** The rule. */
  message: string;
}

/** A broken rule as a sentence: `In the body, name: Must have at least 1 character.` */
export function describeField({ in: part, path, message }: InvalidField): string {
  return path ? `In the ${part === "option" ? "options" : part}, ${path}: ${message}` : message;
}

/** The fields of an error. */
export interface ErrorFields {
  /** The method that failed, e.g. `users.create`. */
  readonly operation?: Operation;
  /** How many times the request was sent. */
  readonly attempts?: number;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean;
  /** The status of the response, if there was one. */
  readonly status?: number;
  /** The error code of the service, e.g. `user_exists`; `invalid_request` also for a `ValidationError`. */
  readonly code?: ErrorCode | (string & {});
  /** What went wrong and what to do. */
  readonly detail?: string;
  /** The broken rules of an `invalid_request`, of the service and of a `ValidationError`. */
  readonly errors?: readonly InvalidField[];
  /** The `X-Request-Id` of the response, which is also in the log of the service. */
  readonly requestId?: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** In a list: the `cursor` to continue with. Absent when the first page failed. */
  readonly resumeCursor?: string;
  /** The first 200 characters of a body that could not be read. */
  readonly body?: string;
  /** Of `message_changed`: the message as it is now. */
  readonly current?: Message;
  /** Of `external_id_exists`: the message that has the id. */
  readonly messageId?: string;
  /** Of `append_out_of_order`: how many appends the message has. */
  readonly appendCount?: number;
  /** Of `message_rejected`: what rejected the text. */
  readonly check?: "filter" | "hook";
  /** Of `message_rejected`: the filter, if it was one. */
  readonly filterId?: string;
  /** Of `message_rejected`: the reason that the hook gave for the writer. */
  readonly reason?: string;
}

/** The fields of an error as its creator knows them. Undefined ones are left out. */
type KnownFields = { readonly [Name in keyof ErrorFields]: ErrorFields[Name] | undefined };

// A symbol of the global registry, so that two installed versions of this package recognise each other's errors.
const brand = Symbol.for("@madang/client.error");

/** Any failure of a call. It never contains a key. */
export class ChatError extends Error implements ErrorFields {
  /** The name of the class, e.g. `NotFoundError`. */
  override readonly name: string = "ChatError";
  /** What kind of failure it is; each has a class. */
  readonly kind: ErrorKind;
  declare readonly operation?: Operation;
  declare readonly attempts?: number;
  readonly retryable: boolean = false;
  declare readonly status?: number;
  declare readonly code?: ErrorCode | (string & {});
  declare readonly detail?: string;
  declare readonly errors?: readonly InvalidField[];
  declare readonly requestId?: string;
  declare readonly retryAfterMs?: number;
  declare readonly resumeCursor?: string;
  declare readonly body?: string;
  declare readonly current?: Message;
  declare readonly messageId?: string;
  declare readonly appendCount?: number;
  declare readonly check?: "filter" | "hook";
  declare readonly filterId?: string;
  declare readonly reason?: string;

  constructor(kind: ErrorKind, message: string, fields: KnownFields = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) Object.assign(this, { [name]: value });
    Object.defineProperty(this, brand, { value: true });
  }

  /** The fields as plain data, for structured logs. */
  toJSON(): object {
    return { ...(this as object), message: this.message };
  }
}

/**
 * Whether a value is an error of this SDK. Also recognises errors of another installed version, for which `instanceof` fails.
 *
 * @example if (isChatError(error) && error.code === "user_exists") return;
 */
export function isChatError(value: unknown): value is ChatError {
  return brand in Object(value);
}
