/** Key-value pairs: at most 10; keys of letters, Hangul, `_` and `-` (100 bytes), values of at most 200 bytes. */
export type Meta = Record<string, string>;

/** A user of the application. */
export interface User {
  user_id: string;
  name: string;
  /** Absent when there is none. */
  profile_url?: string;
  meta: Meta;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. Moves with every change, metadata included. */
  updated_at: number;
}

/** A user to create. */
export interface NewUser {
  /** 4 to 80 characters: lower-case letters, digits and `_`. It never changes. */
  user_id: string;
  /** 1 to 80 characters. */
  name: string;
  /** At most 2,048 characters. */
  profile_url?: string | undefined;
  meta?: Meta | undefined;
}

/** The new values of a user. */
export interface UserChange {
  /** 1 to 80 characters. */
  name: string;
  /** At most 2,048 characters; kept when left out, cleared by the empty string. */
  profile_url?: string | undefined;
}

/** A group channel. */
export interface Channel {
  channel_id: string;
  name: string;
  /** Absent when there is none. */
  profile_url?: string;
  /** Always `group`. */
  type: string;
  /** Whether only managers may send. */
  freeze: boolean;
  /** How many messages were ever sent, files included. */
  total_message_count: number;
  /** How many of them were files. */
  total_file_count: number;
  meta: Meta;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A group channel with its participants. */
export interface ChannelWithMembers extends Channel {
  members: User[];
}

/** A channel to create. */
export interface NewChannel {
  /** 4 to 80 characters: lower-case letters, digits and `_`. It never changes. */
  channel_id: string;
  /** 1 to 150 characters. */
  name: string;
  /** At most 2,048 characters. */
  profile_url?: string | undefined;
  /** The ids of at most 100 users; a repeated one counts once. */
  members: readonly string[];
  /** With exactly two members: takes the channel that these two already have to themselves. Default `false`. */
  reuse?: boolean | undefined;
  meta?: Meta | undefined;
}

/** The new values of a channel. */
export interface ChannelChange {
  /** 1 to 150 characters. */
  name: string;
  /** At most 2,048 characters; kept when left out, cleared by the empty string. */
  profile_url?: string | undefined;
}

/** A user, and since when it takes part in a channel or manages it. */
export interface MemberEntry extends User {
  /** Milliseconds since the Unix epoch, UTC. */
  joined_at: number;
}

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

/** A key that can be used in place of the master key, and revoked. */
export interface SubKey {
  key: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}
