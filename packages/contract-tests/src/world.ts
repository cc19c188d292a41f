import type { OperationId } from "@madang/contract";
import type { Request } from "./request";

/** The time at which everything in a world is created unless it has its own time. */
export const worldTime = 1_700_000_000_000;
/** The time at which the request of an interaction is sent. */
export const requestTime = worldTime + 60_000;

/** What exists before a request is sent. It is created in the order of these fields. */
export interface World {
  /** Server settings that differ from the defaults. */
  readonly settings?: Settings;
  readonly users?: readonly NewUser[];
  readonly channels?: readonly NewChannel[];
  readonly messages?: readonly NewMessage[];
  /** `count` messages of one sender, one second apart; the last one at `worldTime`. */
  readonly history?: History;
  /** The numbers of messages that were deleted: the first one that was stored has the number 1. */
  readonly deletedMessages?: readonly number[];
  /** Up to which message participants have marked a channel as read. */
  readonly readMarks?: readonly ReadMark[];
  /** The number of sub keys. */
  readonly subKeys?: number;
  /** Whether a sub key was created and then deleted. */
  readonly deletedSubKey?: true;
  readonly webhooks?: readonly NewWebhook[];
  /** Users deleted after everything else was created. */
  readonly deletedUsers?: readonly string[];
  readonly deletedChannels?: readonly string[];
  /** A page requested before the request. `placeholders.next` and `newer` stand for its cursors. */
  readonly page?: { readonly operation: OperationId } & Pick<Request, "params" | "query">;
  /** Whether the events up to that page, and one after it, are so old that they were removed. */
  readonly expiredEvents?: true;
}

export interface Settings {
  readonly userList?: "reference";
  readonly keyHeaders?: readonly string[];
}

export interface NewUser {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly at?: number;
}

export interface NewChannel {
  readonly channel_id: string;
  readonly name: string;
  readonly profile_url?: string;
  readonly meta?: Readonly<Record<string, string>>;
  /** In the order in which they joined, one millisecond apart. */
  readonly members?: readonly string[];
  readonly managers?: readonly string[];
  /** Users who joined and left. */
  readonly formerMembers?: readonly string[];
  /** Users who were added as managers and removed. */
  readonly formerManagers?: readonly string[];
  readonly frozen?: boolean;
  readonly at?: number;
}

export interface NewMessage {
  readonly channel_id: string;
  readonly user_id: string;
  readonly content?: string;
  readonly file?: Readonly<{ type: string; name: string; url: string; size: number }>;
  readonly meta?: Readonly<Record<string, string>>;
  /** With one, the message is imported and not sent. */
  readonly external_id?: string;
  readonly at?: number;
}

export interface ReadMark {
  readonly channel_id: string;
  readonly user_id: string;
  /** The number of the message. */
  readonly message: number;
}

export interface NewWebhook {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
  /** Set after everything else was created. */
  readonly enabled?: boolean;
  /** The number of pings that were sent. The host name of their receiver cannot be resolved. */
  readonly pings?: number;
}

export interface History {
  readonly channel_id: string;
  readonly user_id: string;
  readonly count: number;
}
