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
  /** In the order in which they were registered. */
  readonly devices?: readonly NewDevice[];
  readonly channels?: readonly NewChannel[];
  readonly files?: readonly NewFile[];
  readonly messages?: readonly NewMessage[];
  /** `count` messages of one sender, one second apart; the last one at `worldTime`. */
  readonly history?: History;
  /** In the order in which they were added, one millisecond apart. */
  readonly reactions?: readonly NewReaction[];
  /** The numbers of messages that were pinned, in this order, one millisecond apart. */
  readonly pins?: readonly number[];
  /** The numbers of messages that were deleted: the first one that was stored has the number 1. */
  readonly deletedMessages?: readonly number[];
  /** Up to which message participants have marked a channel as read. */
  readonly readMarks?: readonly ReadMark[];
  readonly mutes?: readonly Mute[];
  readonly bans?: readonly Ban[];
  /** Users whom others have blocked. */
  readonly blocks?: readonly NewBlock[];
  readonly preferences?: readonly NewPreferences[];
  /** Participants who have left after everything else was created. */
  readonly left?: readonly { readonly channel_id: string; readonly user_id: string }[];
  /** Users who are suspended without end. */
  readonly suspendedUsers?: readonly string[];
  /** Users who have a stream of events open, with a token. */
  readonly online?: readonly string[];
  /** When users were last online, as the service stores it. */
  readonly lastSeen?: readonly { readonly user_id: string; readonly at: number }[];
  readonly reports?: readonly NewReport[];
  /** The number of sub keys. */
  readonly subKeys?: number;
  /** The scopes of the sub keys. Without it they have none. */
  readonly scopes?: readonly string[];
  /** Whether a sub key was created and then deleted. */
  readonly deletedSubKey?: true;
  readonly webhooks?: readonly NewWebhook[];
  /** Created after all messages. */
  readonly filters?: readonly NewFilter[];
  readonly hooks?: readonly NewHook[];
  /** Users deleted after everything else was created. */
  readonly deletedUsers?: readonly string[];
  readonly deletedChannels?: readonly string[];
  /** Erasures of users, one second apart. */
  readonly erasures?: readonly NewErasure[];
  /** A page requested before the request. `placeholders.next` and `newer` stand for its cursors. */
  readonly page?: { readonly operation: OperationId } & Pick<Request, "params" | "query">;
  /** Whether the events up to that page, and one after it, are so old that they were removed. */
  readonly expiredEvents?: true;
}

export interface Settings {
  readonly userList?: "reference";
  readonly keyHeaders?: readonly string[];
  /** `unavailable`: the folder of files has gone since they were created. */
  readonly files?: "off" | "unavailable";
  /** `off`: no provider is set up. `gone`: none is any more, since the devices were registered. */
  readonly push?: "off" | "gone";
  readonly presence?: "off" | "last_seen";
}

export interface NewUser {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly at?: number;
}

export interface NewDevice {
  readonly user_id: string;
  readonly device_id: string;
  readonly provider: "webpush" | "fcm" | "apns";
  readonly endpoint?: string;
  readonly keys?: { readonly p256dh: string; readonly auth: string };
  readonly token?: string;
  readonly topic?: string;
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
  /** Set before the messages. */
  readonly slowModeSeconds?: number;
  /** How long messages are kept. Set after everything else was created. */
  readonly retention?: { readonly days: number | null; readonly hold: boolean };
  readonly at?: number;
}

export interface NewMessage {
  readonly channel_id: string;
  /** Absent in a system message. */
  readonly user_id?: string;
  readonly content?: string;
  readonly file?: Readonly<{ type: string; name: string; url: string; size: number }>;
  readonly meta?: Readonly<Record<string, string>>;
  /** With one, the message is imported and not sent. */
  readonly external_id?: string;
  /** A message of the world; in an imported message its `external_id`. */
  readonly reply_to?: string;
  readonly mentions?: readonly string[];
  readonly parts?: readonly object[];
  readonly attachments?: readonly { readonly file_id: string }[];
  /** What was appended to it. It is still being written, unless `finish` says how it ended. */
  readonly appends?: readonly string[];
  readonly finish?: Readonly<{ state: "done" | "cancelled"; content?: string }>;
  readonly at?: number;
}

/** Its bytes are `f` characters. */
export interface NewFile {
  readonly channel_id: string;
  readonly user_id?: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Whether its bytes have not been uploaded. */
  readonly waiting?: true;
}

export interface ReadMark {
  readonly channel_id: string;
  readonly user_id: string;
  /** The number of the message. */
  readonly message: number;
}

export interface NewReaction {
  /** The number of the message, the first one if it is absent. */
  readonly message?: number;
  readonly reaction: string;
  readonly user_id: string;
}

export interface Mute {
  readonly channel_id: string;
  readonly user_id: string;
  /** Absent: without end. */
  readonly until?: number;
}

export interface Ban extends Mute {
  readonly reason?: string;
  readonly at?: number;
}

export interface NewBlock {
  readonly user_id: string;
  readonly blocked_user_id: string;
  readonly at?: number;
}

/** The preferences of a participant. */
export interface NewPreferences {
  readonly channel_id: string;
  readonly user_id: string;
  readonly notify?: "mentions" | "none";
  readonly quiet_until?: number;
  readonly hidden?: true;
  readonly archived?: true;
  readonly pinned?: true;
  readonly at?: number;
}

export interface NewFilter {
  readonly label: string;
  readonly words?: readonly string[];
  readonly pattern?: string;
  readonly channel_ids?: readonly string[];
  readonly action: "reject" | "mask" | "report";
}

export interface NewHook {
  readonly url: string;
  readonly operations: readonly ("messages.send" | "messages.update")[];
  readonly callers: "users" | "all";
  readonly timeout_ms?: number;
  readonly on_failure: "accept" | "reject";
}

export interface NewReport {
  readonly channel_id: string;
  readonly message_id?: string;
  readonly reported_user_id?: string;
  readonly reporter_user_id?: string;
  readonly reason: string;
  readonly at?: number;
  /** With one, the report is resolved. */
  readonly resolution?: string;
}

export interface NewErasure {
  readonly user_id: string;
  readonly messages: "erase" | "keep";
  /** Whether it has only begun. */
  readonly running?: true;
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
