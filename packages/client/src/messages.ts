import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { Meta, User } from "./users";

/** Where a file lies; the service stores the reference, never the file. */
export interface FileReference {
  /** The MIME type, 1 to 255 characters. */
  type: string;
  /** 1 to 255 characters. */
  name: string;
  /** 1 to 2,048 characters. */
  url: string;
  /** A whole number of bytes. */
  size: number;
}

/** What every message has. */
export interface MessageEnvelope {
  message_id: string;
  channel_id: string;
  /** The sender; of a deleted user, as it last was. */
  user: User;
  meta: Meta;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A message of text. */
export interface TextMessage extends MessageEnvelope {
  type: "text";
  content: string;
}

/** A message that is a file. */
export interface FileMessage extends MessageEnvelope {
  type: "file";
  file: FileReference;
}

/** A message. A newer server may send further types: let a `switch` over `type` pass them. */
export type Message = TextMessage | FileMessage;

/** A message of text to send. */
export interface NewTextMessage {
  /** The sender: a participant or a manager of the channel. */
  user_id: string;
  type: "text";
  /** 1 to 8,192 characters. */
  content: string;
  meta?: Meta | undefined;
}

/** A message that is a file to send. */
export interface NewFileMessage {
  /** The sender: a participant or a manager of the channel. */
  user_id: string;
  type: "file";
  file: FileReference;
  meta?: Meta | undefined;
}

/** A message to send. */
export type NewMessage = NewTextMessage | NewFileMessage;

/** `chat.messages` */
export class MessageCalls {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Sends a message of a user to a channel.
   *
   * Throws `PermissionError` when the sender does not belong to the channel, or the channel is frozen and the sender no
   * manager; `NotFoundError` when there is no such channel or user.
   *
   * @example await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
   */
  send(channelId: string, message: NewMessage, options?: CallOptions): Promise<Message> {
    return this.#call("messages.send", { path: { channel_id: channelId }, body: message }, options);
  }
}
