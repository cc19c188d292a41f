import type { MessagePart, UnannouncedCode } from "@madang/contract";
import type { UncheckedText } from "../call/unchecked-text";
import type { Tx } from "../db/db";
import { ServiceError } from "../errors/service-error";
import type { Writer } from "../write/writer";
import type { MessageRef } from "./message-id";

declare const checked: unique symbol;

/** A text that may be stored: it has passed the checks of messages, or its operation is exempt from them. */
export type CheckedText = string & { readonly [checked]: true };

/** A text that no check reads: that of a system message, which the application writes itself, and of an import. */
// The two types are one string: only their names keep an unchecked one away from the stores.
export const exempt = (text: UncheckedText): CheckedText => text as unknown as CheckedText;

/** A request without a text has an empty one. */
export const noText = "" as unknown as UncheckedText;

/** What an operation is about to store. Null or undefined: it has no text. */
export interface Draft<Content extends UncheckedText | null | undefined = UncheckedText | null | undefined> {
  readonly content: Content;
  readonly parts: readonly MessagePart[] | undefined;
  readonly meta: Record<string, string> | undefined;
}

/** What may be stored of it. */
export interface Passed<Content = unknown> {
  readonly content: Content extends UncheckedText ? CheckedText : Content | CheckedText;
  readonly parts: readonly MessagePart[] | undefined;
  readonly meta: Record<string, string> | undefined;
  /** Whether it differs from the draft. */
  readonly isReplaced: boolean;
  /** The stored text that was checked. Undefined: the draft had one, or nothing was checked. */
  readonly stored?: string | undefined;
  /** What is to be stored with the message, in its transaction. Absent, as for most: nothing. */
  readonly addToMessage?: AddToMessage | undefined;
}

export type AddToMessage = (tx: Tx, message: MessageRef) => Promise<void>;

/** The operations whose texts are checked. `messages.sendMany` is checked as several sends. */
export type CheckedOperation = "messages.send" | "messages.update" | "messages.append" | "messages.finish";

/** What the checks need to know of a request. */
export interface Checkable {
  readonly operation: CheckedOperation;
  readonly channelId: string;
  /** Whether it is the beginning of a message that is written by appends, which hooks read at its end. */
  readonly isStreaming?: boolean;
  /** Whether the message ends without a request. Its writer may be a user, so hooks are called whatever their `callers`. */
  readonly isUnattended?: boolean;
  /**
   * What is stored before the text, up to a number of characters: a word may continue there. Null: not all of it is stored, so neither
   * may the text be. Absent: nothing.
   */
  readBefore?(characters: number): Promise<string | null>;
  /** What a hook gets besides the text. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The text that is stored already. The operation stores it again if its draft has none. */
  readStored?(): Promise<string>;
  /** Rejects the request if it would be rejected whatever its text is. Is called only when a check has something to say. */
  requireAllowed(): Promise<Allowed>;
}

/** A stored message, as a hook reads it: without what changes. */
export interface StoredMessage {
  readonly content: string | null;
  /** The other fields, with their names on the wire. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Allowed {
  /** Null in a system message, which is not checked. */
  readonly senderId: string | null;
  /** The message that changes. Absent: there is none yet. */
  readonly stored?: StoredMessage;
  /** Whether the request changes nothing, so that it is not checked either. */
  readonly isRepeated?: boolean;
}

/** What the chat needs to know about the checks of messages: filters, and hooks of the application. */
export interface Checks {
  /** Throws `message_rejected`, or returns what may be stored. */
  pass<Content extends UncheckedText | null | undefined>(
    writer: Writer,
    checkable: Checkable,
    draft: Draft<Content>,
  ): Promise<Passed<Content>>;
  /** The same for a message to several channels. A rejection is that of a channel. */
  passMany<Content extends UncheckedText | null>(
    writer: Writer,
    checkable: CheckableMany,
    draft: Draft<Content>,
  ): Promise<ReadonlyMap<string, Passed<Content> | UnannouncedCode>>;
}

interface CheckableMany extends Pick<Checkable, "context"> {
  readonly channelIds: readonly string[];
  readonly senderId: string;
  /** Why some of the channels would not get it, whatever its text is. Called only if there are hooks. */
  findObstacles(): Promise<ReadonlyMap<string, UnannouncedCode>>;
}

/** The response to a request whose text a hook had to check and could not. */
export const checkUnavailable = (retryAfterSeconds: number): ServiceError =>
  new ServiceError("check_unavailable", "The application could not check the text. Try again shortly.", {
    retryAfterSeconds,
  });

/** The response to a request whose text a check rejects. `members` are those of its problem. */
export const messageRejected = (members: object): ServiceError =>
  new ServiceError(
    "message_rejected",
    "check" in members && members.check === "hook"
      ? "The application rejects the text."
      : "The text contains what a filter of the application rejects.",
    { members },
  );
