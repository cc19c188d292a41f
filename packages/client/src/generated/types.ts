// Generated from @madang/contract by `pnpm run generate`. Do not edit.

/** A user of the application. */
export interface User {
  /** The id, set at creation. */
  user_id: string;
  /** The name, 1 to 80 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it. */
  updated_at?: number;
  /** Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended. */
  suspended_until?: number;
}

/** A page of users. `next` is present when there is another page. */
export interface UserPage {
  /** The users, in the order of the list. */
  users: User[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** What happened to a user, or the code of the reason why it was not changed. */
export interface UpsertResult {
  /** The user. */
  user_id: string;
  /** What happened to the user: `unchanged` if it had all these values already. Absent with a `code`. */
  result?: "created" | "updated" | "unchanged";
  /** Why the user was not changed: the code with which the operation for one user is rejected. */
  code?: "meta_limit_exceeded";
}

/** The results of creating or updating several users. */
export interface UpsertResults {
  /** One result for each user, in the order of the request. */
  results: UpsertResult[];
}

/** How long the messages of a channel are kept. */
export interface Retention {
  /** Messages older than this many days are erased. Absent: the setting of the server applies. */
  days?: number;
  /** While `true`, neither retention nor erasures delete messages. */
  hold: boolean;
}

/** A group channel. */
export interface Channel {
  /** The id, set at creation. */
  channel_id: string;
  /** The name, 1 to 150 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Always `group`. */
  type: string;
  /** Whether only managers may send messages. */
  freeze: boolean;
  /** How many seconds a participant who is not a manager waits between two messages. Absent: none. */
  slow_mode_seconds?: number;
  /** How long messages are kept. Absent: the setting of the server applies. Users do not see it. */
  retention?: Retention;
  /** The number of messages ever sent, including files. */
  total_message_count: number;
  /** The number of file messages ever sent. Attachments do not count. */
  total_file_count: number;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A channel from which a user is banned. */
export interface ChannelBan {
  /** A group channel. */
  channel: Channel;
  /** When the ban ends. Absent: without end. */
  until?: number;
  /** Why the user is banned. Absent if no reason was given. */
  reason?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A page of the bans of a user. `next` is present when there is another page. */
export interface ChannelBanPage {
  /** The bans, newest first. */
  bans: ChannelBan[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** A token with which a page or an app acts as a user. */
export interface UserToken {
  /** The token, for `Authorization: Bearer <token>`. */
  token: string;
  /** When the token expires. */
  expires_at: number;
}

/** A user whom another user has blocked. */
export interface Block {
  /** The user who is blocked. */
  user: User;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A page of blocks. `next` is present when there is another page. */
export interface BlockPage {
  /** The blocks, newest first. */
  blocks: Block[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** A participant or manager, with the time it became one. */
export interface MemberEntry {
  /** The id, set at creation. */
  user_id: string;
  /** The name, 1 to 80 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it. */
  updated_at?: number;
  /** Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended. */
  suspended_until?: number;
  /** Until when the user cannot send and react in the channel, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not muted. */
  muted_until?: number;
  /** When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC. */
  joined_at: number;
}

/** A part of a message. */
export interface MessagePart {
  /** What the part is, 1 to 80 characters. The application decides. */
  type: string;
  [field: string]: unknown;
}

/** A file of a message, which the service stores. */
export interface Attachment {
  /** The id, assigned by the service. */
  file_id: string;
  /** The name of the file. */
  name: string;
  /** The MIME type. */
  type: string;
  /** The size in bytes. */
  size: number;
  /** Where to read the bytes, without a key: an address that works for at least one hour and at most two. A later response has another one. */
  url: string;
}

/** A reaction to a message, and how many users have it. */
export interface ReactionCount {
  /** The reaction, in the normal form NFC. */
  reaction: string;
  /** The number of users. */
  count: number;
  /** Whether the user of `as_user` has it. Absent without `as_user`. */
  own?: boolean;
}

/** A text message. */
export interface TextMessage {
  /** The id, assigned by the service. */
  message_id: string;
  /** The channel of the message. */
  channel_id: string;
  /** The id that the message was sent or imported with. */
  external_id?: string;
  /** The sender. A deleted user keeps its last state. */
  user: User;
  /** A text message. */
  type: "text";
  /** The text, at most 65,536 characters; of a message that is being written, the text so far. It may be empty in a message with parts or attachments, and in one that is or was written by appends. */
  content: string;
  /** The parts, as they were sent. Absent if there are none. */
  parts?: MessagePart[];
  /** The files of the message, in the order of the request. Absent if there are none. */
  attachments?: Attachment[];
  /** `streaming`: the message is still being written. `cancelled`: its writer, or a reader, stopped it. `interrupted`: its writer stopped without a word. Absent in all other messages. */
  state?: "streaming" | "cancelled" | "interrupted";
  /** How many appends `content` contains, while the message is being written: the index of the next one. */
  append_count?: number;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the content or the metadata last changed, in milliseconds since the Unix epoch, UTC. At first the time of creation. */
  updated_at: number;
  /** When the content last changed. Absent if it never did. */
  edited_at?: number;
  /** The id of the message that this one replies to. That message may be deleted. */
  reply_to?: string;
  /** The number of replies to this message. Absent if there are none. */
  reply_count?: number;
  /** The ids of the users that the message mentions. Absent if there are none. */
  mentions?: string[];
  /** The different reactions, in the order of their first use. Absent when there are none. */
  reactions?: ReactionCount[];
  /** When the message was pinned, in milliseconds since the Unix epoch, UTC. Absent if it is not pinned. */
  pinned_at?: number;
}

/** Where a file is stored. The service keeps the reference, never the file. */
export interface FileReference {
  /** The MIME type. */
  type: string;
  /** The name of the file. */
  name: string;
  /** The URL of the file. */
  url: string;
  /** The size in bytes. */
  size: number;
}

/** A file message. */
export interface FileMessage {
  /** The id, assigned by the service. */
  message_id: string;
  /** The channel of the message. */
  channel_id: string;
  /** The id that the message was sent or imported with. */
  external_id?: string;
  /** The sender. A deleted user keeps its last state. */
  user: User;
  /** A file message. */
  type: "file";
  /** The file. */
  file: FileReference;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the content or the metadata last changed, in milliseconds since the Unix epoch, UTC. At first the time of creation. */
  updated_at: number;
  /** When the content last changed. Absent if it never did. */
  edited_at?: number;
  /** The id of the message that this one replies to. That message may be deleted. */
  reply_to?: string;
  /** The number of replies to this message. Absent if there are none. */
  reply_count?: number;
  /** The ids of the users that the message mentions. Absent if there are none. */
  mentions?: string[];
  /** The different reactions, in the order of their first use. Absent when there are none. */
  reactions?: ReactionCount[];
  /** When the message was pinned, in milliseconds since the Unix epoch, UTC. Absent if it is not pinned. */
  pinned_at?: number;
}

/** A message of the application, such as "Kim joined". It has no sender. */
export interface SystemMessage {
  /** The id, assigned by the service. */
  message_id: string;
  /** The channel of the message. */
  channel_id: string;
  /** The id that the message was sent or imported with. */
  external_id?: string;
  /** A system message. */
  type: "system";
  /** The text, at most 65,536 characters; of a message that is being written, the text so far. It may be empty in a message with parts or attachments, and in one that is or was written by appends. */
  content: string;
  /** The parts, as they were sent. Absent if there are none. */
  parts?: MessagePart[];
  /** The files of the message, in the order of the request. Absent if there are none. */
  attachments?: Attachment[];
  /** `streaming`: the message is still being written. `cancelled`: its writer, or a reader, stopped it. `interrupted`: its writer stopped without a word. Absent in all other messages. */
  state?: "streaming" | "cancelled" | "interrupted";
  /** How many appends `content` contains, while the message is being written: the index of the next one. */
  append_count?: number;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the content or the metadata last changed, in milliseconds since the Unix epoch, UTC. At first the time of creation. */
  updated_at: number;
  /** When the content last changed. Absent if it never did. */
  edited_at?: number;
  /** The id of the message that this one replies to. That message may be deleted. */
  reply_to?: string;
  /** The number of replies to this message. Absent if there are none. */
  reply_count?: number;
  /** The ids of the users that the message mentions. Absent if there are none. */
  mentions?: string[];
  /** The different reactions, in the order of their first use. Absent when there are none. */
  reactions?: ReactionCount[];
  /** When the message was pinned, in milliseconds since the Unix epoch, UTC. Absent if it is not pinned. */
  pinned_at?: number;
}

/** A message of a group channel. A newer server may send further types. */
export type Message = TextMessage | FileMessage | SystemMessage;

/** The preferences of a participant for a channel. Default values are absent. */
export interface Preferences {
  /** Which messages are pushed. Absent: all. */
  notify?: "mentions" | "none";
  /** Until when nothing is pushed or counted, in milliseconds since the Unix epoch, UTC. Absent when this has passed. */
  quiet_until?: number;
  /** The channel is left out of the inbox until its next message. */
  hidden?: true;
  /** The channel is listed apart from the inbox. */
  archived?: true;
  /** When the channel was pinned, in milliseconds since the Unix epoch, UTC. */
  pinned_at?: number;
}

/** A channel as one of its participants sees it. */
export interface UserChannel {
  /** The id, set at creation. */
  channel_id: string;
  /** The name, 1 to 150 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Always `group`. */
  type: string;
  /** Whether only managers may send messages. */
  freeze: boolean;
  /** How many seconds a participant who is not a manager waits between two messages. Absent: none. */
  slow_mode_seconds?: number;
  /** How long messages are kept. Absent: the setting of the server applies. Users do not see it. */
  retention?: Retention;
  /** The number of messages ever sent, including files. */
  total_message_count: number;
  /** The number of file messages ever sent. Attachments do not count. */
  total_file_count: number;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
  /** When the user joined, in milliseconds since the Unix epoch, UTC. */
  joined_at: number;
  /** The number of messages from other users after the read mark, or after the user joined, without those of users whom it has blocked. 100 means 100 or more. */
  unread_count: number;
  /** The number of messages that mention the user, from others and from the application, after the read mark, or after the user joined, without those of users whom it has blocked. 100 means 100 or more. */
  mention_count: number;
  /** The newest message that the user has marked as read. Absent when there is none. */
  read_message_id?: string;
  /** The number of participants. */
  member_count: number;
  /** The first 10 participants by `joined_at`, oldest first. Present with `members=true`. */
  members?: MemberEntry[];
  /** The newest message. Absent when there is none. */
  last_message?: Message;
  /** The preferences of the user for the channel. Absent if all have their default values. */
  preferences?: Preferences;
}

/** A page of the channels of a user. `next` is present when there is another page. */
export interface UserChannelPage {
  /** The channels, by last activity, newest first. */
  channels: UserChannel[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The unread messages of a user in all channels. */
export interface Unread {
  /** The sum of the unread counts of the channels that are not quiet; each counts up to 100. */
  unread_count: number;
  /** The number of channels with unread messages that are not quiet. */
  channel_count: number;
  /** The sum of the unread counts of the quiet channels; each counts up to 100. */
  quiet_unread_count: number;
}

/** How the last push went. Absent before the first one. */
export interface LastPush {
  /** When the push service responded, or the attempt ended. */
  at: number;
  /** The status of the response. Absent when there was none. */
  status?: number;
  /** Why the push failed. Absent when it was accepted. */
  error?: string;
}

/** A device to which messages for a user are pushed. */
export interface Device {
  /** The id, chosen by the app. */
  device_id: string;
  /** How messages reach the device: Web Push, Firebase Cloud Messaging, or Apple's push service. */
  provider: "webpush" | "fcm" | "apns";
  /** The language of the device. Absent if it was not said. */
  locale?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the device was last registered. */
  updated_at: number;
  /** How the last push went. Absent before the first one. */
  last_push?: LastPush;
}

/** The devices of a user. */
export interface Devices {
  /** The devices. */
  devices: Device[];
}

/** How the receiver responded to a ping. */
export interface PingResult {
  /** The status of the response. Absent when there was no response. */
  status?: number;
  /** How long the attempt took, in milliseconds. */
  duration_ms: number;
  /** Why there was no response. Absent when there was one. */
  error?: string;
}

/** A page of messages that were found. It may have fewer than `limit`, or none, and still a `next`: the search then goes on. */
export interface MessageHits {
  /** The messages, newest first. There may be none. */
  messages: Message[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** A page of channels. `next` is present when there is another page. */
export interface ChannelPage {
  /** The channels, in the order of the list. */
  channels: Channel[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** A group channel with its participants. */
export interface ChannelWithMembers {
  /** The id, set at creation. */
  channel_id: string;
  /** The name, 1 to 150 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Always `group`. */
  type: string;
  /** Whether only managers may send messages. */
  freeze: boolean;
  /** How many seconds a participant who is not a manager waits between two messages. Absent: none. */
  slow_mode_seconds?: number;
  /** How long messages are kept. Absent: the setting of the server applies. Users do not see it. */
  retention?: Retention;
  /** The number of messages ever sent, including files. */
  total_message_count: number;
  /** The number of file messages ever sent. Attachments do not count. */
  total_file_count: number;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
  /** The participants of the channel. */
  members: User[];
}

/** A participant, with the time of joining and the read mark. */
export interface Participant {
  /** The id, set at creation. */
  user_id: string;
  /** The name, 1 to 80 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it. */
  updated_at?: number;
  /** Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended. */
  suspended_until?: number;
  /** Until when the user cannot send and react in the channel, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not muted. */
  muted_until?: number;
  /** When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC. */
  joined_at: number;
  /** The newest message that is marked as read. Absent when there is no mark yet. */
  read_message_id?: string;
}

/** A participant, with the time of joining and what it has read of the channel. */
export interface MemberState {
  /** The id, set at creation. */
  user_id: string;
  /** The name, 1 to 80 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it. */
  updated_at?: number;
  /** Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended. */
  suspended_until?: number;
  /** Until when the user cannot send and react in the channel, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not muted. */
  muted_until?: number;
  /** When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC. */
  joined_at: number;
  /** The number of messages from other users after the mark. 100 means 100 or more. */
  unread_count?: number;
  /** The newest message that is marked as read. Absent when there is no mark yet. */
  read_message_id?: string;
}

/** Which users a request added, in the order of the request. */
export interface Additions {
  /** The ids of the users who were added. */
  joined: string[];
  /** The ids of the users who were participants before. */
  already_joined: string[];
}

/** What a participant has read of a channel. */
export interface ReadState {
  /** The number of messages from other users after the mark. 100 means 100 or more. */
  unread_count: number;
  /** The newest message that is marked as read. Absent when there is no mark yet. */
  read_message_id?: string;
}

/** A user who is banned from a channel. */
export interface Ban {
  /** A user of the application. */
  user: User;
  /** When the ban ends. Absent: without end. */
  until?: number;
  /** Why the user is banned. Absent if no reason was given. */
  reason?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A page of bans. `next` is present when there is another page. */
export interface BanPage {
  /** The bans, newest first. */
  bans: Ban[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The pinned messages of a channel. */
export interface PinList {
  /** The messages, the newest pin first. */
  messages: Message[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The message that a channel got, or the code of the reason why it got none. */
export interface AnnouncementResult {
  /** The channel. */
  channel_id: string;
  /** The stored message. */
  message?: Message;
  /** Why there is no message: the code with which `messages.send` would be rejected. */
  code?: "channel_not_found" | "user_not_found" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "slow_mode" | "message_rejected" | "check_unavailable";
}

/** The results of a message to several channels. */
export interface AnnouncementResults {
  /** One result for each channel, in the order of the request. */
  results: AnnouncementResult[];
}

/** Messages of a channel, newest first, with a cursor in each direction. */
export interface MessageList {
  /** The messages, newest first. */
  messages: Message[];
  /** The cursor of the page with the next older messages. Absent when there are none. */
  next?: string;
  /** The cursor of the messages that come after the newest one of this page, including those that do not exist yet. Sent as `next`. Absent only with `message_ids` and `external_ids`. */
  newer?: string;
}

/** A page of replies to a message, oldest first. `next` is present when there is another page. */
export interface ReplyList {
  /** The replies, oldest first. */
  messages: Message[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The result of an append. */
export interface Appended {
  /** How many appends the message has. */
  append_count: number;
}

/** Who has read a message. */
export interface MessageReaders {
  /** The participants who have read the message, by `joined_at`, oldest first. */
  readers: Participant[];
  /** The number of readers. */
  reader_count: number;
  /** The number of participants of the channel. The sender counts if it is one. */
  member_count: number;
}

/** The reaction of one user to a message. */
export interface Reaction {
  /** The reaction, in the normal form NFC. */
  reaction: string;
  /** The user who reacts. A deleted user keeps its last state. */
  user: User;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A page of reactions. `next` is present when there is another page. */
export interface ReactionPage {
  /** The reactions, oldest first. */
  reactions: Reaction[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The reactions to a message after the request. */
export interface MessageReactions {
  /** The different reactions, in the order of their first use. */
  reactions: ReactionCount[];
}

/** The data of an event of a user. */
export interface UserEventData {
  /** The user. */
  user_id: string;
  /** The user as it is now. Absent when it no longer exists. */
  user?: User;
}

/** An event of a user. */
export interface UserEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "user.created" | "user.updated" | "user.deleted";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: UserEventData;
}

/** The data of an event of a channel. */
export interface ChannelEventData {
  /** The channel. */
  channel_id: string;
  /** The channel as it is now. Absent when it no longer exists. */
  channel?: Channel;
}

/** An event of a channel. */
export interface ChannelEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "channel.created" | "channel.updated" | "channel.deleted";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** What the event is about, as it is now. */
  data: ChannelEventData;
}

/** The data of an event of a participant or a manager. */
export interface MemberEventData {
  /** The user. */
  user_id: string;
  /** The user as it is now. Absent when it no longer exists. */
  user?: User;
}

/** An event of a participant or a manager. */
export interface MemberEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "member.joined" | "member.left" | "member.unmuted" | "member.unbanned" | "manager.added" | "manager.removed";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: MemberEventData;
}

/** The data of a read mark that moved. */
export interface ReadEventData {
  /** The user. */
  user_id: string;
  /** The user as it is now. Absent when it no longer exists. */
  user?: User;
  /** The newest message that is marked as read. */
  read_message_id: string;
}

/** A read mark that moved. */
export interface ReadEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "member.read";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: ReadEventData;
}

/** The data of a participant who was muted. */
export interface MuteEventData {
  /** The user. */
  user_id: string;
  /** The user as it is now. Absent when it no longer exists. */
  user?: User;
  /** Until when, in milliseconds since the Unix epoch, UTC. 0: without end. Absent after the user was erased. */
  muted_until?: number;
}

/** A participant who was muted. */
export interface MuteEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "member.muted";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: MuteEventData;
}

/** The data of preferences of a participant that changed. */
export interface PreferencesEventData {
  /** The channel. */
  channel_id: string;
  /** The user. */
  user_id: string;
  /** The preferences as they are now. Absent when the user is no participant. */
  preferences?: Preferences;
}

/** Preferences of a participant that changed. */
export interface PreferencesEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "member.preferences";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: PreferencesEventData;
}

/** The data of a block of a user. */
export interface BlockEventData {
  /** The user who blocks. */
  user_id: string;
  /** The user who is blocked. Absent after one of the two was erased. */
  blocked_user_id?: string;
}

/** A block of a user. */
export interface BlockEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "block.added" | "block.removed";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: BlockEventData;
}

/** The data of a user who was banned from a channel. */
export interface BanEventData {
  /** The user. */
  user_id: string;
  /** The user as it is now. Absent when it no longer exists. */
  user?: User;
  /** Until when, in milliseconds since the Unix epoch, UTC. Absent: without end. */
  until?: number;
}

/** A user who was banned from a channel. */
export interface BanEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "member.banned";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: BanEventData;
}

/** The data of an event of a message. */
export interface MessageEventData {
  /** The message. */
  message_id: string;
  /** The message as it is now. Absent when it no longer exists. */
  message?: Message;
}

/** An event of a message. */
export interface MessageEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "message.created" | "message.updated" | "message.deleted" | "message.pinned" | "message.unpinned";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The sender. Absent for a system message. */
  user_id?: string;
  /** What the event is about, as it is now. */
  data: MessageEventData;
}

/** The data of a reaction to a message. */
export interface ReactionEventData {
  /** The message. */
  message_id: string;
  /** The reaction. Absent when the message no longer exists, or the user was erased. */
  reaction?: string;
  /** The user who reacts. */
  user_id: string;
}

/** A reaction to a message. */
export interface ReactionEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "reaction.added" | "reaction.removed";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** The user to whom the event belongs. */
  user_id: string;
  /** What the event is about, as it is now. */
  data: ReactionEventData;
}

/** The data of an import of messages. */
export interface ImportEventData {
  /** The channel. */
  channel_id: string;
  /** The channel as it is now. Absent when it no longer exists. */
  channel?: Channel;
  /** The number of messages. */
  imported: number;
}

/** An import of messages. */
export interface ImportEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "messages.imported";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** What the event is about, as it is now. */
  data: ImportEventData;
}

/** What the message was when it was reported, for keys of the application alone. It goes 30 days after the report was resolved, with the channel, and when its sender is erased. */
export interface ReportedMessage {
  /** The text. Absent if there was none. */
  content?: string;
  /** The name of the file of a file message. */
  file_name?: string;
  /** The names of the attachments. */
  attachments?: string[];
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A report for moderators. */
export interface Report {
  /** The id, assigned by the service. */
  report_id: string;
  /** The channel. */
  channel_id: string;
  /** The reported message, which may have been deleted since. Absent if none is reported. */
  message_id?: string;
  /** The reported user, otherwise the sender of the message. Absent if there is none, or if the user was deleted. */
  reported_user_id?: string;
  /** Who reported it. Absent if that is unknown, or if the user was deleted. */
  reporter_user_id?: string;
  /** Why it was reported. */
  reason: string;
  /** What the message was when it was reported, for keys of the application alone. It goes 30 days after the report was resolved, with the channel, and when its sender is erased. */
  reported?: ReportedMessage;
  /** `open` until a moderator resolves it. */
  status: "open" | "resolved";
  /** What a moderator decided. Absent if it was not given. */
  resolution?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** The data of a report for moderators. */
export interface ReportEventData {
  /** The report. */
  report_id: string;
  /** The report as it is now. Absent when it no longer exists. */
  report?: Report;
}

/** A report for moderators. */
export interface ReportEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "report.created" | "report.resolved";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** The channel to which the event belongs. */
  channel_id: string;
  /** What the event is about, as it is now. */
  data: ReportEventData;
}

/** The data of an event of a webhook. */
export interface WebhookEventData {
  /** The webhook. */
  webhook_id: string;
}

/** An event of a webhook. */
export interface WebhookEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "webhook.disabled";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** What the event is about, as it is now. */
  data: WebhookEventData;
}

/** A change. A newer server may send further types. */
export type ChatEvent = UserEvent | ChannelEvent | MemberEvent | ReadEvent | MuteEvent | PreferencesEvent | BlockEvent | BanEvent | MessageEvent | ReactionEvent | ImportEvent | ReportEvent | WebhookEvent;

/** Events in the order in which they are numbered. */
export interface EventPage {
  /** The events, oldest first. */
  events: ChatEvent[];
  /** The cursor after these events. Send it as `after` to continue, also when there are no events. */
  next: string;
}

/** The changes that were made and are not in the feed yet. */
export interface EventQueue {
  /** The number of events that are not in the feed yet. */
  event_count: number;
  /** The age of the oldest of them, in milliseconds. 0 if there are none. */
  lag_ms: number;
}

/** A page of messages, newest first. `next` is present when there is another page. */
export interface MessagePage {
  /** The messages, newest first. */
  messages: Message[];
  /** The time zone applied to the dates. */
  timezone: string;
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The result of an import. */
export interface ImportResult {
  /** The number of messages that were stored. */
  imported: number;
  /** The number of messages whose `external_id` the channel had already. */
  skipped: number;
}

/** An API key for one application, which can be revoked. */
export interface SubKey {
  /** The sub API key. */
  key: string;
  /** Identifies the key in logs and metrics without revealing it. */
  key_id: string;
  /** The user as whom the key acts. Absent for other keys. */
  user_id?: string;
  /** What the key is for, such as the application that uses it. Absent when there is none. */
  label?: string;
  /** What the key may do. Absent for a key without scopes. */
  scopes?: string[];
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the key expires. Absent when it does not expire. */
  expires_at?: number;
  /** When the key was last used, accurate to within a minute. Only in lists, and absent when the key was never used. */
  last_used_at?: number;
}

/** The key that a request was sent with. */
export interface CallingKey {
  /** Which kind of key was sent: `user` is a token, or a sub key that acts as a user. */
  kind: "master" | "sub" | "user";
  /** The user as whom the request acts. Absent for other kinds. */
  user_id?: string;
  /** What the key is for, such as the application that uses it. Absent when there is none. */
  label?: string;
  /** What the key may do. Absent for a key without scopes. */
  scopes?: string[];
  /** When the key expires. Absent when it does not expire. */
  expires_at?: number;
  /** Identifies the key in logs and metrics without revealing it. */
  key_id?: string;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  /** The id, assigned by the service. */
  webhook_id: string;
  /** The receiver of the events. */
  url: string;
  /** The types of events that it gets. Absent: every type. */
  types?: string[];
  /** What it is for. Absent when it has none. */
  description?: string;
  /** Whether events are delivered. The service disables a webhook that fails permanently. */
  enabled: boolean;
  /** The secret that signs the deliveries. No other operation returns it. */
  secret: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A URL that gets the events of the service. */
export interface Webhook {
  /** The id, assigned by the service. */
  webhook_id: string;
  /** The receiver of the events. */
  url: string;
  /** The types of events that it gets. Absent: every type. */
  types?: string[];
  /** What it is for. Absent when it has none. */
  description?: string;
  /** Whether events are delivered. The service disables a webhook that fails permanently. */
  enabled: boolean;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** The id of the event. That of a ping begins with `ping_`. */
  event_id: string;
  /** A cursor before the event, for `replay`. Absent for a ping, and when an earlier version made the attempt. */
  after?: string;
  /** 1 for the first attempt to deliver the event, then counted up. */
  attempt: number;
  /** The status of the response. Absent when there was no response. */
  status?: number;
  /** How long the attempt took, in milliseconds. */
  duration_ms: number;
  /** Why there was no response. Absent when there was one. */
  error?: string;
  /** When the attempt ended. */
  created_at: number;
}

/** A page of attempts, newest first. */
export interface AttemptPage {
  /** The attempts, newest first. */
  attempts: DeliveryAttempt[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** What texts of messages must not contain, without its words. */
export interface Filter {
  /** The id, assigned by the service. */
  filter_id: string;
  /** What it is for. */
  label: string;
  /** The regular expression that it finds. Absent in a filter of words. */
  pattern?: string;
  /** The channels in which it applies. Absent: all channels. */
  channel_ids?: string[];
  /** What happens to a text in which it finds something: `reject`, `mask` replaces it by `*`, `report` opens a report. */
  action: string;
  /** How many words it has. Absent in a filter with a pattern. */
  word_count?: number;
  /** In how many texts it found something in the last 7 days, up to some seconds ago. */
  hit_count: number;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** All filters. */
export interface FilterList {
  /** The filters, oldest first. */
  filters: Filter[];
}

/** What a filter would do. */
export interface FilterTrialResult {
  /** Whether something was found. */
  matches: boolean;
  /** The text with `*` in place of what was found. */
  masked: string;
}

/** A filter with its words. */
export interface FilterWithWords {
  /** The id, assigned by the service. */
  filter_id: string;
  /** What it is for. */
  label: string;
  /** The regular expression that it finds. Absent in a filter of words. */
  pattern?: string;
  /** The channels in which it applies. Absent: all channels. */
  channel_ids?: string[];
  /** What happens to a text in which it finds something: `reject`, `mask` replaces it by `*`, `report` opens a report. */
  action: string;
  /** The words that it finds. Absent in a filter with a pattern. */
  words?: string[];
  /** How many words it has. Absent in a filter with a pattern. */
  word_count?: number;
  /** In how many texts it found something in the last 7 days, up to some seconds ago. */
  hit_count: number;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A hook with its secret. */
export interface HookWithSecret {
  /** The id, assigned by the service. */
  hook_id: string;
  /** The URL that is called. */
  url: string;
  /** The operations whose messages it checks. */
  operations: string[];
  /** Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys. */
  callers: string;
  /** How long a check may take, in milliseconds. */
  timeout_ms: number;
  /** What happens to a message that it could not check: `accept` or `reject`. */
  on_failure: string;
  /** The secret that signs the requests. No other operation returns it. */
  secret: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A URL of your server that is called before a message is stored. */
export interface Hook {
  /** The id, assigned by the service. */
  hook_id: string;
  /** The URL that is called. */
  url: string;
  /** The operations whose messages it checks. */
  operations: string[];
  /** Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys. */
  callers: string;
  /** How long a check may take, in milliseconds. */
  timeout_ms: number;
  /** What happens to a message that it could not check: `accept` or `reject`. */
  on_failure: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** All hooks. */
export interface HookList {
  /** The hooks, oldest first. */
  hooks: Hook[];
}

/** A call of a hook. */
export interface HookAttempt {
  /** What it checked: `messages.send`, `messages.update` or `messages.finish`. */
  operation: string;
  /** The action of the response: `accept`, `reject` or `replace`. `failure`: there was no valid response. */
  outcome: string;
  /** The status of the response. Absent when there was no response. */
  status?: number;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** Why it failed. */
  error?: string;
  /** When it ended. */
  created_at: number;
}

/** A hook with its latest calls. */
export interface HookWithAttempts {
  /** The id, assigned by the service. */
  hook_id: string;
  /** The URL that is called. */
  url: string;
  /** The operations whose messages it checks. */
  operations: string[];
  /** Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys. */
  callers: string;
  /** How long a check may take, in milliseconds. */
  timeout_ms: number;
  /** What happens to a message that it could not check: `accept` or `reject`. */
  on_failure: string;
  /** Until when a process does not call it, because it failed 10 times in a row. Absent if no process has paused it. */
  paused_until?: number;
  /** The latest 10 calls of each outcome, newest first. They are stored once a second. */
  attempts: HookAttempt[];
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A page of reports. `next` is present when there is another page. */
export interface ReportPage {
  /** The reports, newest first. */
  reports: Report[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** How to upload the bytes: exactly this size and type, once. */
export interface FileUpload {
  /** The method of the request. */
  method: "PUT";
  /** Where to send the bytes, without a key. */
  url: string;
  /** The headers that the request must have, besides its length. */
  headers: Record<string, string>;
  /** Until when the address works: one hour after `created_at`. */
  expires_at: number;
}

/** A file whose bytes have to be uploaded. */
export interface CreatedFile {
  /** The id, assigned by the service. */
  file_id: string;
  /** The name of the file. */
  name: string;
  /** The MIME type. */
  type: string;
  /** The size in bytes. */
  size: number;
  /** `ready` once the bytes have arrived, `waiting` before. */
  status: "waiting" | "ready";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** How to upload the bytes: exactly this size and type, once. */
  upload: FileUpload;
}

/** A file that the service stores. */
export interface StoredFile {
  /** The id, assigned by the service. */
  file_id: string;
  /** The name of the file. */
  name: string;
  /** The MIME type. */
  type: string;
  /** The size in bytes. */
  size: number;
  /** `ready` once the bytes have arrived, `waiting` before. */
  status: "waiting" | "ready";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Where to read the bytes, without a key: an address that works for at least one hour and at most two. Absent while the file is `waiting`. */
  url?: string;
}

/** Who called an operation, when and why. It has no content, names, metadata or keys. */
export interface AuditEntry {
  /** The number of the entry. Numbers increase, with gaps. */
  entry_id: string;
  /** Milliseconds since the Unix epoch, UTC. */
  at: number;
  /** What was called. Signing in to the console is `console.signIn`, signing out `console.signOut`. */
  operation: string;
  /** The HTTP method. */
  method: string;
  /** The HTTP status of the response. */
  status: number;
  /** Why the request was rejected. Absent if it was accepted. */
  code?: string;
  /** Whether the master key, a sub key or the console called, or a request that acts as a user. */
  kind: "master" | "sub" | "console" | "user";
  /** The user as whom the request acts. Absent for other kinds. */
  acting_user_id?: string;
  /** The id of the sub key. Absent for the master key. */
  key_id?: string;
  /** The header `X-Madang-Actor` of the request, or who signed in to the console. Absent if it was not sent, or with a token. */
  actor?: string;
  /** The header `X-Madang-Reason` of the request. Absent if it was not sent, or with a token. */
  reason?: string;
  /** The network address of the client. */
  address: string;
  /** The user that the request names, or the sender of the message that it changes. Absent if there is none. */
  user_id?: string;
  /** The channel that the request names. Absent if it names none. */
  channel_id?: string;
  /** The message that the request names or sent. Absent if there is none. */
  message_id?: string;
  /** What else the request names or creates: the id of a key, a webhook, a file, a report or an erasure, or the number of channels of a message to several. Absent if there is none. */
  subject?: string;
}

/** A page of the audit log. `next` is present when there is another page. */
export interface AuditPage {
  /** The entries, newest first. */
  entries: AuditEntry[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** What was erased so far. */
export interface ErasedCounts {
  /** How many messages were erased so far. */
  messages: number;
  /** How many memberships and manager roles were ended. */
  memberships: number;
  /** In how many channels something was erased so far. */
  channels: number;
  /** How many messages are left because their channels are held; 0 if only reactions, mentions or reports are. They are erased within five minutes after the holds end. Absent if nothing is left there. */
  held?: number;
}

/** The erasure of every user that ever had an id. */
export interface Erasure {
  /** The id, assigned by the service. */
  erasure_id: string;
  /** The id whose users are erased. */
  user_id: string;
  /** `erase`: the messages of the users are erased. `keep`: they stay, with the sender `~deleted`. */
  messages: "erase" | "keep";
  /** `done`: the name and the erased texts are in no row of the database. While something is left in a channel that is held, it is `running`. */
  status: "running" | "done";
  /** What was erased so far. */
  erased: ErasedCounts;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the erasure was done. Absent while it is running. */
  completed_at?: number;
}

/** A page of erasures. `next` is present when there is another page. */
export interface ErasurePage {
  /** The erasures, newest first. */
  erasures: Erasure[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** A user that exists or was deleted. */
export interface Person {
  /** The id, set at creation. */
  user_id: string;
  /** The name, 1 to 80 characters. */
  name: string;
  /** The URL of an image. Absent if there is none. */
  profile_url?: string;
  /** Key-value pairs, `{}` when there are none. */
  meta: Record<string, string>;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it. */
  updated_at?: number;
  /** Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended. */
  suspended_until?: number;
  /** When the user was deleted. Absent for one that exists. */
  deleted_at?: number;
  /** Why the user is or was suspended. Absent if it was not said. */
  suspension_reason?: string;
  /** When the user was last online, rounded down to the minute. Absent where the service does not store it, and of a deleted user. */
  last_seen_at?: number;
}

/** A membership or manager role of a user. */
export interface PersonalMembership {
  /** The channel. */
  channel_id: string;
  /** What the user is in the channel. */
  role: "participant" | "manager";
  /** Milliseconds since the Unix epoch, UTC. */
  joined_at: number;
  /** Up to which message a participant has read. Absent if it has read none. */
  read_message_id?: string;
  /** The preferences of the participant for the channel. Absent if all have their default values. */
  preferences?: Preferences;
}

/** A reaction of a user to a message. */
export interface PersonalReaction {
  /** The channel. */
  channel_id: string;
  /** The message. */
  message_id: string;
  /** The reaction. */
  reaction: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A message that mentions a user. */
export interface PersonalMention {
  /** The channel. */
  channel_id: string;
  /** The message. */
  message_id: string;
}

/** A mute of a user in a channel, also one that has ended. */
export interface PersonalMute {
  /** The channel. */
  channel_id: string;
  /** When the mute ends. Absent: without end. */
  until?: number;
}

/** A ban of a user from a channel, also one that has ended. */
export interface PersonalBan {
  /** The channel. */
  channel_id: string;
  /** When the ban ends. Absent: without end. */
  until?: number;
  /** Why the user is banned. Absent if no reason was given. */
  reason?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A file of a user, which may be in a message. */
export interface PersonalFile {
  /** The channel. */
  channel_id: string;
  /** The id, assigned by the service. */
  file_id: string;
  /** The name of the file. */
  name: string;
  /** The MIME type. */
  type: string;
  /** The size in bytes. */
  size: number;
  /** `ready` once the bytes have arrived, `waiting` before. */
  status: "waiting" | "ready";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A device to which messages for a user are pushed. */
export interface PersonalDevice {
  /** The id, chosen by the app. */
  device_id: string;
  /** How messages reach the device: Web Push, Firebase Cloud Messaging, or Apple's push service. */
  provider: "webpush" | "fcm" | "apns";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** When the device was last registered. */
  updated_at: number;
}

/** A user whom the user has blocked. */
export interface PersonalBlock {
  /** The user who is blocked. */
  user_id: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** A page of what is stored about a user. `next` is present when there is another page. */
export interface PersonalData {
  /** The user of this page. The pages of one user follow each other. */
  user: Person;
  /** The next memberships and manager roles of the user, oldest first. */
  memberships: PersonalMembership[];
  /** The next messages of the user in all channels, oldest first. */
  messages: Message[];
  /** The next reactions of the user, oldest first. */
  reactions: PersonalReaction[];
  /** The next messages that mention the user, by channel, oldest first. */
  mentions: PersonalMention[];
  /** The next mutes of the user, by channel. */
  mutes: PersonalMute[];
  /** The next bans of the user, by channel. */
  bans: PersonalBan[];
  /** The next reports about the user, about a message of the user, or by the user, oldest first. */
  reports: Report[];
  /** The next files of the user, oldest first. */
  files: PersonalFile[];
  /** The next devices of the user, oldest first. */
  devices: PersonalDevice[];
  /** The next users whom the user has blocked, oldest first. */
  blocks: PersonalBlock[];
  /** The cursor of the next page. Absent on the last one. A page ends after about a megabyte, so it may have fewer entries than its limit. */
  next?: string;
}

/** The usage of one day. */
export interface UsageDay {
  /** The day, from midnight to midnight UTC. */
  day: string;
  /** The number of users that were created. */
  users_created: number;
  /** The number of users that were deleted. */
  users_deleted: number;
  /** The number of channels that were created. */
  channels_created: number;
  /** The number of messages that were sent. */
  messages_sent: number;
  /** The number of messages that were imported on this day, whatever their own times. */
  messages_imported: number;
  /** The number of messages that were deleted, also by age. */
  messages_deleted: number;
}

/** The usage of each day. */
export interface DailyUsage {
  /** The days, oldest first. */
  days: UsageDay[];
}

/** For Web Push. Absent where it is not set up. */
export interface WebPushSettings {
  /** The `applicationServerKey` of subscriptions, in base64url. */
  public_key: string;
}

/** How this service pushes messages. */
export interface PushSettings {
  /** The providers that are set up: `webpush`, `fcm`, `apns`. */
  providers: string[];
  /** For Web Push. Absent where it is not set up. */
  webpush?: WebPushSettings;
}

/** A push service to which messages are sent. */
export interface PushService {
  /** `fcm`, `apns`, `apns-development`, or the host of a service of Web Push. */
  service: string;
  /** The provider of its devices. */
  provider: "webpush" | "fcm" | "apns";
  /** How many devices are registered there. */
  device_count: number;
  /** How many pushes wait for their next attempt. */
  waiting_count: number;
  /** Since when every push has failed. Absent if the last one was accepted. */
  failing_since?: number;
  /** Why the last push failed. Absent if it was accepted. */
  error?: string;
}

/** The push services of all devices. */
export interface PushServices {
  /** The services, at most 100. */
  services: PushService[];
}

/** Whether a user is online. */
export interface UserPresence {
  /** The user. */
  user_id: string;
  /** Whether the user is online. */
  status: "online" | "offline";
  /** When the user was last online, in milliseconds since the Unix epoch, UTC, rounded down to the minute. Absent while the user is online, and where the service does not store it. */
  last_seen_at?: number;
}

/** Whether users are online. */
export interface PresenceList {
  /** The users, in the order of their ids in the request. */
  presence: UserPresence[];
}

/** What was appended to a message. */
export interface AppendedData {
  /** The message. */
  message_id: string;
  /** The index of the first append in `contents`. */
  index: number;
  /** The text of each append, in their order. */
  contents: string[];
}

/** What was appended to a message. A reader of the message takes what is at or after its `append_count`, and reads the message again if `index` is higher. */
export interface AppendedEvent {
  /** A message has more text. */
  type: "message.appended";
  /** The channel. */
  channel_id: string;
  /** What was appended to a message. */
  data: AppendedData;
}

/** A signal. */
export interface SignalData {
  /** What the signal says. */
  type: string;
  /** Any object of at most 1,000 bytes as JSON, without whole numbers beyond ±9,007,199,254,740,991. */
  data?: Record<string, unknown>;
}

/** A signal. It is stored nowhere. */
export interface SignalEvent {
  /** A signal. */
  type: "signal";
  /** The channel. */
  channel_id: string;
  /** The sender. Absent: the application. */
  user_id?: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** A signal. */
  data: SignalData;
}

/** A user has come online or gone offline. Streams with `presence_of` get it. */
export interface PresenceEvent {
  /** A user has come online or gone offline. */
  type: "presence";
  /** The user. */
  data: UserPresence;
}

/** An event that is not in the feed. It has no id, and may be lost. */
export type LiveEvent = AppendedEvent | SignalEvent | PresenceEvent;

/** A user to create. */
export interface NewUser {
  /** The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only. */
  user_id: string;
  /** A name of 1 to 80 characters (Unicode code points). */
  name: string;
  /** The URL of an image, at most 2,048 characters. The empty string means none. */
  profile_url?: string | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
}

/** The new values of a user. */
export interface UserChange {
  /** A name of 1 to 80 characters (Unicode code points). */
  name: string;
  /** The URL of an image, at most 2,048 characters. The empty string means none. */
  profile_url?: string | undefined;
}

/** Users to create or update. */
export interface UsersToUpsert {
  /** The users, 1 to 100, each of them once. */
  users: readonly NewUser[];
}

/** Until when to suspend, and why. */
export interface Suspension {
  /** When it ends, in milliseconds since the Unix epoch, UTC. Absent: without end. */
  until?: number | undefined;
  /** Why, 1 to 500 characters. */
  reason?: string | undefined;
}

/** How long a token lives. */
export interface NewToken {
  /** After how many seconds the token expires: 60 to 86,400, default 3,600. */
  expires_in?: number | undefined;
}

/** The metadata pairs to add or change. */
export interface MetaChange {
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
}

/** The metadata keys to delete. */
export interface MetaDeletion {
  /** The keys to delete. */
  keys: readonly string[];
}

/** The `keys` of the subscription. */
export interface WebPushKeys {
  /** The public key of the subscription. */
  p256dh: string;
  /** The secret of the subscription. */
  auth: string;
}

/** A browser, an installed page, or an app with UnifiedPush. */
export interface WebPushDevice {
  /** Web Push. */
  provider: "webpush";
  /** The `endpoint` of the subscription: an `https:` URL outside the server's own network. */
  endpoint: string;
  /** The `keys` of the subscription. */
  keys: WebPushKeys;
  /** The language of the device: a language tag such as `ko-KR`. */
  locale?: string | undefined;
}

/** An app with Firebase Cloud Messaging. */
export interface FcmDevice {
  /** Firebase Cloud Messaging. */
  provider: "fcm";
  /** The registration token of Firebase Cloud Messaging. */
  token: string;
  /** The language of the device: a language tag such as `ko-KR`. */
  locale?: string | undefined;
}

/** An app on iOS or macOS. */
export interface ApnsDevice {
  /** Apple's push service. */
  provider: "apns";
  /** The device token in hexadecimal. */
  token: string;
  /** The bundle id of the app. Default: `MADANG_APNS_TOPIC`. */
  topic?: string | undefined;
  /** Where the token is valid: `production` (default) or `development`. */
  environment?: "production" | "development" | undefined;
  /** The language of the device: a language tag such as `ko-KR`. */
  locale?: string | undefined;
}

/** A device to register. */
export type NewDevice = WebPushDevice | FcmDevice | ApnsDevice;

/** A group channel to create. */
export interface NewChannel {
  /** The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only. */
  channel_id: string;
  /** A name of 1 to 150 characters (Unicode code points). */
  name: string;
  /** The URL of an image, at most 2,048 characters. The empty string means none. */
  profile_url?: string | undefined;
  /** The ids of at most 100 users to add. Duplicates count once. */
  members: readonly string[];
  /** Whether to return an existing one-to-one channel. Default: `false`. */
  reuse?: boolean | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
}

/** The new values of a channel. */
export interface ChannelChange {
  /** A name of 1 to 150 characters (Unicode code points). */
  name: string;
  /** The URL of an image, at most 2,048 characters. The empty string means none. */
  profile_url?: string | undefined;
}

/** Whether a channel is frozen. */
export interface ChannelFreeze {
  /** `true` freezes, `false` unfreezes. */
  freeze: boolean;
}

/** How long participants wait between messages. */
export interface ChannelSlowMode {
  /** 1 to 21,600 seconds (6 hours), or 0 to turn it off. */
  seconds: number;
}

/** How long the messages of a channel are kept. */
export interface ChannelRetention {
  /** 1 to 36,500, or `null`. */
  days: number | null;
  /** `true` begins a hold, `false` ends it. */
  hold: boolean;
}

/** The participant. */
export interface MemberChange {
  /** The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only. */
  member: string;
}

/** The users to add. */
export interface NewMembers {
  /** The ids of 1 to 100 users. Duplicates count once. */
  members: readonly string[];
}

/** The participant who leaves. */
export interface Departure {
  /** The participant. With a user's token or key, the user itself, and may be left out. */
  member?: string | undefined;
}

/** Up to which message the user has read. */
export interface ReadMark {
  /** The newest message that was read. It may be deleted. */
  message_id?: string | undefined;
}

/** A change of the preferences of a participant for a channel. */
export interface PreferencesChange {
  /** Which messages are pushed: all, those that mention the user, or none. */
  notify?: "all" | "mentions" | "none" | undefined;
  /** Until when nothing is pushed or counted, in milliseconds since the Unix epoch, UTC. `null` ends it. */
  quiet_until?: number | null | undefined;
  /** Whether the channel is left out of the inbox until its next message. */
  hidden?: boolean | undefined;
  /** Whether the channel is listed apart from the inbox, until this ends. */
  archived?: boolean | undefined;
  /** Whether the channel is pinned. */
  pinned?: boolean | undefined;
}

/** Until when to mute. */
export interface Mute {
  /** When it ends, in milliseconds since the Unix epoch, UTC. Absent: without end. */
  until?: number | undefined;
}

/** The manager. */
export interface ManagerChange {
  /** The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only. */
  manager: string;
}

/** Until when to ban, and why. */
export interface NewBan {
  /** When it ends, in milliseconds since the Unix epoch, UTC. Absent: without end. */
  until?: number | undefined;
  /** Why, 1 to 500 characters. */
  reason?: string | undefined;
}

/** A part of a message to send. */
export interface NewMessagePart {
  /** What the part is, 1 to 80 characters. The application decides. */
  type: string;
  [field: string]: unknown;
}

/** A file that was uploaded. */
export interface NewAttachment {
  /** The id of the file. */
  file_id: string;
}

/** A text message to send. */
export interface NewTextMessage {
  /** An id of the application for the message, 1 to 100 characters, unique in its channel. Clients recognize in an event what they sent by it. */
  external_id?: string | undefined;
  /** The sender: a participant or a manager of the channel. With a user's token or key, the user itself, and may be left out. */
  user_id?: string | undefined;
  /** A text message. */
  type: "text";
  /** 1 to 65,536 characters (Unicode code points). With parts or attachments, it may be empty or left out. */
  content?: string | undefined;
  /** What a text cannot hold, such as tool calls, cards and reasoning: 1 to 200 objects, each with a `type`, returned as they were sent. Together at most 65,536 bytes as JSON, 5,000 values and 20 levels, and no whole number beyond ±9,007,199,254,740,991. They are not searched. */
  parts?: readonly NewMessagePart[] | undefined;
  /** 1 to 10 files of the same channel, created for the sender or for nobody. Duplicates count once. */
  attachments?: readonly NewAttachment[] | undefined;
  /** Whether the message is written while people read: `content` is its beginning, `messages.append` continues it, and `messages.finish` ends it. 60 seconds without an append end it, too. With tokens, a user writes at most 20 messages at once. */
  streaming?: boolean | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** The id of the message of this channel that this one replies to. */
  reply_to?: string | undefined;
  /** The ids of 1 to 50 participants or managers of the channel. Duplicates count once. */
  mentions?: readonly string[] | undefined;
}

/** A reference to a file that is stored elsewhere. */
export interface NewFileReference {
  /** The MIME type, 1 to 255 characters. */
  type: string;
  /** 1 to 255 characters. */
  name: string;
  /** An http or https address, or a relative one, of 1 to 2,048 characters. */
  url: string;
  /** The size in bytes. */
  size: number;
}

/** A file message to send. */
export interface NewFileMessage {
  /** An id of the application for the message, 1 to 100 characters, unique in its channel. Clients recognize in an event what they sent by it. */
  external_id?: string | undefined;
  /** The sender: a participant or a manager of the channel. With a user's token or key, the user itself, and may be left out. */
  user_id?: string | undefined;
  /** A file message. */
  type: "file";
  /** A reference to a file that is stored elsewhere. */
  file: NewFileReference;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** The id of the message of this channel that this one replies to. */
  reply_to?: string | undefined;
  /** The ids of 1 to 50 participants or managers of the channel. Duplicates count once. */
  mentions?: readonly string[] | undefined;
}

/** A message of the application to send. It has no sender. */
export interface NewSystemMessage {
  /** An id of the application for the message, 1 to 100 characters, unique in its channel. Clients recognize in an event what they sent by it. */
  external_id?: string | undefined;
  /** A system message. */
  type: "system";
  /** 1 to 65,536 characters (Unicode code points). With parts or attachments, it may be empty or left out. */
  content?: string | undefined;
  /** What a text cannot hold, such as tool calls, cards and reasoning: 1 to 200 objects, each with a `type`, returned as they were sent. Together at most 65,536 bytes as JSON, 5,000 values and 20 levels, and no whole number beyond ±9,007,199,254,740,991. They are not searched. */
  parts?: readonly NewMessagePart[] | undefined;
  /** 1 to 10 files of the same channel, created for the sender or for nobody. Duplicates count once. */
  attachments?: readonly NewAttachment[] | undefined;
  /** Whether the message is written while people read: `content` is its beginning, `messages.append` continues it, and `messages.finish` ends it. 60 seconds without an append end it, too. With tokens, a user writes at most 20 messages at once. */
  streaming?: boolean | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** The ids of 1 to 50 participants or managers of the channel. Duplicates count once. */
  mentions?: readonly string[] | undefined;
}

/** A message to send. */
export type NewMessage = NewTextMessage | NewFileMessage | NewSystemMessage;

/** A text message to send to several channels. */
export interface TextAnnouncement {
  /** The ids of 1 to 100 channels. Duplicates count once. */
  channel_ids: readonly string[];
  /** The sender: a participant or a manager of the channel. */
  user_id: string;
  /** A text message. */
  type: "text";
  /** 1 to 65,536 characters (Unicode code points). With parts or attachments, it may be empty or left out. */
  content?: string | undefined;
  /** What a text cannot hold, such as tool calls, cards and reasoning: 1 to 200 objects, each with a `type`, returned as they were sent. Together at most 65,536 bytes as JSON, 5,000 values and 20 levels, and no whole number beyond ±9,007,199,254,740,991. They are not searched. */
  parts?: readonly NewMessagePart[] | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
}

/** A file message to send to several channels. */
export interface FileAnnouncement {
  /** The ids of 1 to 100 channels. Duplicates count once. */
  channel_ids: readonly string[];
  /** The sender: a participant or a manager of the channel. */
  user_id: string;
  /** A file message. */
  type: "file";
  /** A reference to a file that is stored elsewhere. */
  file: NewFileReference;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
}

/** A message to send to several channels. */
export type Announcement = TextAnnouncement | FileAnnouncement;

/** The new content, parts and metadata of a message. */
export interface Edit {
  /** The new text. It may be empty only if the message has parts then. */
  content?: string | undefined;
  /** The new parts. They replace the old ones; `[]` removes all of them. */
  parts?: readonly NewMessagePart[] | undefined;
  /** The new metadata. It replaces the old metadata; `{}` removes all of it. */
  meta?: Record<string, string> | undefined;
  /** The `updated_at` of the message that the caller has read. If the message has another one by now, it is not changed, and the response is 409 `message_changed`. */
  if_updated_at?: number | undefined;
}

/** Text to append to a message. */
export interface NewAppend {
  /** How many appends the message has so far: 0 for the first. */
  index: number;
  /** The text to append, 1 to 16,384 characters. */
  content: string;
}

/** How a message ends. */
export interface Finish {
  /** `done`: the message is complete. `cancelled`: it is not, and shows so in its `state`. */
  state: "done" | "cancelled";
  /** The whole text, which replaces what was appended. It may be empty. */
  content?: string | undefined;
  /** The parts. They replace those of the beginning; `[]` removes them. */
  parts?: readonly NewMessagePart[] | undefined;
  /** The metadata. It replaces that of the beginning; `{}` removes it. */
  meta?: Record<string, string> | undefined;
}

/** A text message to import. */
export interface ImportedTextMessage {
  /** The id of the message where it comes from, 1 to 100 characters. A message whose `external_id` the channel has already is skipped. */
  external_id?: string | undefined;
  /** The sender: an existing user, who need not be a participant of the channel, or `~deleted` for a message of nobody. */
  user_id: string;
  /** A text message. */
  type: "text";
  /** 1 to 65,536 characters (Unicode code points). With parts or attachments, it may be empty or left out. */
  content?: string | undefined;
  /** What a text cannot hold, such as tool calls, cards and reasoning: 1 to 200 objects, each with a `type`, returned as they were sent. Together at most 65,536 bytes as JSON, 5,000 values and 20 levels, and no whole number beyond ±9,007,199,254,740,991. They are not searched. */
  parts?: readonly NewMessagePart[] | undefined;
  /** 1 to 10 files of the same channel, created for the sender or for nobody. Duplicates count once. */
  attachments?: readonly NewAttachment[] | undefined;
  /** The `external_id` of the message that this one replies to. The channel has it already, or this request does. */
  reply_to?: string | undefined;
  /** The ids of 1 to 50 existing users, who need not be participants. Duplicates count once. */
  mentions?: readonly string[] | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** When the message was sent, in milliseconds since the Unix epoch, UTC. It must not be in the future. */
  created_at: number;
}

/** A file message to import. */
export interface ImportedFileMessage {
  /** The id of the message where it comes from, 1 to 100 characters. A message whose `external_id` the channel has already is skipped. */
  external_id?: string | undefined;
  /** The sender: an existing user, who need not be a participant of the channel, or `~deleted` for a message of nobody. */
  user_id: string;
  /** A file message. */
  type: "file";
  /** A reference to a file that is stored elsewhere. */
  file: NewFileReference;
  /** The `external_id` of the message that this one replies to. The channel has it already, or this request does. */
  reply_to?: string | undefined;
  /** The ids of 1 to 50 existing users, who need not be participants. Duplicates count once. */
  mentions?: readonly string[] | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** When the message was sent, in milliseconds since the Unix epoch, UTC. It must not be in the future. */
  created_at: number;
}

/** A message of the application to import. */
export interface ImportedSystemMessage {
  /** The id of the message where it comes from, 1 to 100 characters. A message whose `external_id` the channel has already is skipped. */
  external_id?: string | undefined;
  /** A system message. */
  type: "system";
  /** 1 to 65,536 characters (Unicode code points). With parts or attachments, it may be empty or left out. */
  content?: string | undefined;
  /** What a text cannot hold, such as tool calls, cards and reasoning: 1 to 200 objects, each with a `type`, returned as they were sent. Together at most 65,536 bytes as JSON, 5,000 values and 20 levels, and no whole number beyond ±9,007,199,254,740,991. They are not searched. */
  parts?: readonly NewMessagePart[] | undefined;
  /** 1 to 10 files of the same channel, created for the sender or for nobody. Duplicates count once. */
  attachments?: readonly NewAttachment[] | undefined;
  /** The ids of 1 to 50 existing users, who need not be participants. Duplicates count once. */
  mentions?: readonly string[] | undefined;
  /** Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes. */
  meta?: Record<string, string> | undefined;
  /** When the message was sent, in milliseconds since the Unix epoch, UTC. It must not be in the future. */
  created_at: number;
}

/** A message to import. */
export type ImportedMessage = ImportedTextMessage | ImportedFileMessage | ImportedSystemMessage;

/** Messages to import. */
export interface MessageImport {
  /** 1 to 500 messages. */
  messages: readonly ImportedMessage[];
}

/** The optional user, label, scopes and expiry of a new sub key. */
export interface NewSubKey {
  /** A user: the key acts as this user and has its rights alone, for a bot or an agent. It ends with the deletion of the user. Absent: a key of the application. */
  user_id?: string | undefined;
  /** What the key is for, such as the application that uses it: 1 to 80 characters. */
  label?: string | undefined;
  /** What the key may do, 1 to 20: `read` (every GET), operations such as `messages.send`, and groups such as `messages.*`, which contains everything below it. Absent: everything that sub keys may do, except operations that a scope must name. Duplicates count once. */
  scopes?: readonly string[] | undefined;
  /** When the key expires, in the future: milliseconds since the Unix epoch, UTC. From then on the key is treated as unknown. It still counts toward the limit of 10 until it is deleted. */
  expires_at?: number | undefined;
}

/** The sub key to delete. */
export interface KeyDeletion {
  /** The sub key to delete. */
  key: string;
}

/** A webhook to create. */
export interface NewWebhook {
  /** The receiver: an `https:` URL of at most 2,048 characters, outside the server's own network. */
  url: string;
  /** The types of events to deliver. An empty array means every type. */
  types?: readonly ("user.created" | "user.updated" | "user.deleted" | "channel.created" | "channel.updated" | "channel.deleted" | "member.joined" | "member.left" | "member.unmuted" | "member.unbanned" | "manager.added" | "manager.removed" | "member.read" | "member.muted" | "member.preferences" | "block.added" | "block.removed" | "member.banned" | "message.created" | "message.updated" | "message.deleted" | "message.pinned" | "message.unpinned" | "reaction.added" | "reaction.removed" | "messages.imported" | "report.created" | "report.resolved" | "webhook.disabled")[] | undefined;
  /** What it is for, at most 200 characters. The empty string means none. */
  description?: string | undefined;
}

/** The new values of a webhook. */
export interface WebhookChange {
  /** The receiver: an `https:` URL of at most 2,048 characters, outside the server's own network. */
  url?: string | undefined;
  /** The types of events to deliver. An empty array means every type. */
  types?: readonly ("user.created" | "user.updated" | "user.deleted" | "channel.created" | "channel.updated" | "channel.deleted" | "member.joined" | "member.left" | "member.unmuted" | "member.unbanned" | "manager.added" | "manager.removed" | "member.read" | "member.muted" | "member.preferences" | "block.added" | "block.removed" | "member.banned" | "message.created" | "message.updated" | "message.deleted" | "message.pinned" | "message.unpinned" | "reaction.added" | "reaction.removed" | "messages.imported" | "report.created" | "report.resolved" | "webhook.disabled")[] | undefined;
  /** What it is for, at most 200 characters. The empty string means none. */
  description?: string | undefined;
  /** Whether events are delivered. */
  enabled?: boolean | undefined;
}

/** The events to deliver again. */
export interface Replay {
  /** A cursor of the feed: `next` of a list of events, the cursor of an event, or `after` of an attempt. */
  after: string;
}

/** A filter to create. */
export interface NewFilter {
  /** What it is for, 1 to 80 characters. Writers do not see it. */
  label: string;
  /** 1 to 10,000 words of 1 to 100 characters. A word matches a whole word; with `*` at its beginning or end, also a part of a longer word, which is then masked as a whole. Case, full-width forms and invisible characters are ignored, and any white space equals one space. */
  words?: readonly string[] | undefined;
  /** A regular expression in the syntax of RE2, 1 to 1,000 characters, compared with the text as it was written. It must not match an empty text. */
  pattern?: string | undefined;
  /** The channels in which it applies: 1 to 100, which need not exist. Absent: all channels. */
  channel_ids?: readonly string[] | undefined;
  /** `reject` rejects the message with 422 `message_rejected`; `mask` stores it with `*` in place of what was found; `report` stores it and opens a report. */
  action: "reject" | "mask" | "report";
}

/** What to search, and where. */
export interface FilterTrial {
  /** 1 to 10,000 words of 1 to 100 characters. A word matches a whole word; with `*` at its beginning or end, also a part of a longer word, which is then masked as a whole. Case, full-width forms and invisible characters are ignored, and any white space equals one space. */
  words?: readonly string[] | undefined;
  /** A regular expression in the syntax of RE2, 1 to 1,000 characters, compared with the text as it was written. It must not match an empty text. */
  pattern?: string | undefined;
  /** The text to search, at most 65,536 characters. */
  text: string;
}

/** The new values of a filter. */
export interface FilterChange {
  /** What it is for, 1 to 80 characters. Writers do not see it. */
  label?: string | undefined;
  /** 1 to 10,000 words of 1 to 100 characters. A word matches a whole word; with `*` at its beginning or end, also a part of a longer word, which is then masked as a whole. Case, full-width forms and invisible characters are ignored, and any white space equals one space. */
  words?: readonly string[] | undefined;
  /** A regular expression in the syntax of RE2, 1 to 1,000 characters, compared with the text as it was written. It must not match an empty text. */
  pattern?: string | undefined;
  /** The channels in which it applies from now on; `null`: all channels. */
  channel_ids?: readonly string[] | null | undefined;
  /** `reject` rejects the message with 422 `message_rejected`; `mask` stores it with `*` in place of what was found; `report` stores it and opens a report. */
  action?: "reject" | "mask" | "report" | undefined;
}

/** A hook to create. */
export interface NewHook {
  /** What to call: an `https:` URL of at most 2,048 characters, outside the server's own network. */
  url: string;
  /** The operations whose messages it checks. `messages.send` includes `messages.sendMany`, and the end of streamed messages. */
  operations: readonly ("messages.send" | "messages.update")[];
  /** Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys. */
  callers: "users" | "all";
  /** How long a check may take, 100 to 5,000 ms, 1,500 by default. A process makes 64 calls at once; waiting for one to end counts. */
  timeout_ms?: number | undefined;
  /** What happens to a message that it could not check: `accept` stores it, `reject` responds with 503 `check_unavailable`. */
  on_failure: "accept" | "reject";
}

/** The new values of a hook. */
export interface HookChange {
  /** What to call: an `https:` URL of at most 2,048 characters, outside the server's own network. */
  url?: string | undefined;
  /** The operations whose messages it checks. `messages.send` includes `messages.sendMany`, and the end of streamed messages. */
  operations?: readonly ("messages.send" | "messages.update")[] | undefined;
  /** Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys. */
  callers?: "users" | "all" | undefined;
  /** How long a check may take, 100 to 5,000 ms, 1,500 by default. A process makes 64 calls at once; waiting for one to end counts. */
  timeout_ms?: number | undefined;
  /** What happens to a message that it could not check: `accept` stores it, `reject` responds with 503 `check_unavailable`. */
  on_failure?: "accept" | "reject" | undefined;
}

/** What to report, and why. */
export interface NewReport {
  /** The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only. */
  channel_id: string;
  /** The message to report. */
  message_id?: string | undefined;
  /** The user to report. */
  reported_user_id?: string | undefined;
  /** The user who reports. With a user's token or key, the user itself, and may be left out. */
  reporter_user_id?: string | undefined;
  /** Why, 1 to 500 characters. */
  reason: string;
}

/** The new status of a report. */
export interface ReportChange {
  /** `resolved`, or `open` again. */
  status: "open" | "resolved";
  /** What was decided, 1 to 500 characters. Only with `resolved`. */
  resolution?: string | undefined;
}

/** A file to upload. */
export interface NewFile {
  /** The channel of the message that the file is for. */
  channel_id: string;
  /** Who will send it: a user who may send to the channel. Absent: any sender of the channel can send it, and system messages can have it. */
  user_id?: string | undefined;
  /** 1 to 255 characters without `/`, `\` and control characters. */
  name: string;
  /** The MIME type, at most 255 characters. */
  type: string;
  /** The size in bytes, at least 1. The maximum is a setting of the service, 100 MB by default. */
  size: number;
}

/** A signal to send. */
export interface NewSignal {
  /** The sender. Absent: the application. */
  user_id?: string | undefined;
  /** What the signal says, 1 to 40 characters: lower-case letters, digits, `_` and `.`. The application decides. */
  type: string;
  /** Any object of at most 1,000 bytes as JSON, without whole numbers beyond ±9,007,199,254,740,991. */
  data?: Record<string, unknown> | undefined;
}

/** Whom to erase, and what happens to the messages. */
export interface NewErasure {
  /** The id of the user to erase. */
  user_id: string;
  /** `erase`: erases the messages of the user too. `keep`: keeps them without the sender. */
  messages: "erase" | "keep";
}

/** The error codes that each method can throw: `ErrorCodes["users.create"]`. */
export interface ErrorCodes {
  "users.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "user_exists" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.upsertMany": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.suspend": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.unsuspend": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.bans": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.createToken": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.revokeTokens": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.meta.merge": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "meta_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.meta.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.blocks.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.blocks.add": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "block_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.blocks.remove": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.channels": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.unread": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.devices.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.devices.register": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "push_not_configured" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.devices.remove": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.devices.ping": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "device_not_found" | "request_timeout" | "push_not_configured" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "users.messages": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "users.searchMessages": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_suspended" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "channel_exists" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.freeze": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.setSlowMode": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.setRetention": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.members.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "user_not_found" | "member_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.members.join": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_banned" | "user_suspended" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "member_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.addMany": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_banned" | "user_suspended" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "member_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.leave": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.markRead": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "not_a_participant" | "channel_not_found" | "user_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.setPreferences": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "not_a_participant" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "pin_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.mute": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "member_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.members.unmute": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.managers.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.managers.add": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_banned" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "manager_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.managers.remove": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "manager_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.meta.merge": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "meta_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.meta.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.bans.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "channels.bans.add": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.bans.remove": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "channels.pins": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.search": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.searchAll": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.send": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "channel_not_found" | "user_not_found" | "message_not_found" | "member_not_found" | "file_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "external_id_exists" | "stream_limit_exceeded" | "file_not_uploaded" | "file_in_use" | "payload_too_large" | "unsupported_media_type" | "message_rejected" | "rate_limited" | "slow_mode" | "internal" | "unavailable" | "storage_unavailable" | "check_unavailable";
  "messages.sendMany": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "messages.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "member_muted" | "user_suspended" | "user_blocked" | "channel_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "message_changed" | "message_streaming" | "payload_too_large" | "unsupported_media_type" | "message_rejected" | "rate_limited" | "internal" | "unavailable" | "check_unavailable";
  "messages.replies": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "channel_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "messages.append": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "channel_not_found" | "user_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "message_not_streaming" | "append_out_of_order" | "content_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "message_rejected" | "rate_limited" | "internal" | "unavailable";
  "messages.finish": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "member_muted" | "user_suspended" | "user_blocked" | "channel_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "message_not_streaming" | "payload_too_large" | "unsupported_media_type" | "message_rejected" | "rate_limited" | "internal" | "unavailable" | "check_unavailable";
  "messages.pin": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "pin_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "messages.unpin": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "messages.readers": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "message_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.reactions.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "message_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "messages.reactions.add": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "channel_not_found" | "user_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "reaction_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "messages.reactions.remove": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "message_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "events.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "request_timeout" | "events_expired" | "rate_limited" | "internal" | "unavailable";
  "events.queue": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "exports.messages": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "imports.messages": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "user_not_found" | "message_not_found" | "file_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "file_not_uploaded" | "file_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable" | "storage_unavailable";
  "keys.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "keys.self": "invalid_request" | "unauthenticated" | "cross_origin_request" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "keys.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "key_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "keys.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "key_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "webhook_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "webhooks.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "webhooks.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.rotate": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.ping": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.replay": "invalid_request" | "invalid_json" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "events_expired" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "webhooks.attempts": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "webhook_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "filters.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "filter_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "filters.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "filters.try": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "filters.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "filter_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "filters.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "filter_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "filters.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "filter_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "hooks.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "hook_limit_exceeded" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "hooks.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "hooks.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "hook_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "hooks.update": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "hook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "hooks.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "hook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "hooks.rotate": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "master_key_required" | "not_permitted" | "hook_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "reports.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_not_found" | "message_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "reports.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "reports.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "report_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "reports.resolve": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "report_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "files.create": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "channel_not_found" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "files_disabled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable" | "storage_unavailable";
  "files.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "file_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable" | "storage_unavailable";
  "files.delete": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "file_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "file_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "signals.send": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "channel_frozen" | "not_a_participant" | "member_muted" | "user_banned" | "user_suspended" | "user_blocked" | "channel_not_found" | "user_not_found" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "audit.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "privacy.erase": "invalid_request" | "invalid_json" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "idempotency_key_reused" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
  "privacy.list": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "privacy.get": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "erasure_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "privacy.export": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "user_not_found" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "usage.daily": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "push.settings": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "push.services": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "not_permitted" | "request_timeout" | "rate_limited" | "internal" | "unavailable";
  "presence.list": "invalid_request" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "request_timeout" | "presence_disabled" | "rate_limited" | "internal" | "unavailable";
  "events.listen": "invalid_request" | "invalid_cursor" | "unauthenticated" | "cross_origin_request" | "scope_missing" | "channel_not_found" | "request_timeout" | "presence_disabled" | "events_expired" | "rate_limited" | "internal" | "unavailable";
}

/** The status of every error code of the service today. A newer server may send others. */
export interface ErrorStatuses {
  /** A parameter, a header or a field of the body is invalid, unknown, or was sent twice. */
  invalid_request: 400;
  /** The body is not JSON in UTF-8, or is incomplete. */
  invalid_json: 400;
  /** The cursor, `next` or `after`, was changed or truncated, or belongs to another operation, channel, user or service. A cursor of the feed of events is also rejected after the database was restored. */
  invalid_cursor: 400;
  /** The request has no API key, an unknown one, or one that was deleted or has expired. */
  unauthenticated: 401;
  /** The operation manages sub keys, webhooks or hooks, and was called with a sub key. */
  master_key_required: 403;
  /** The sub key does not have the scope of the operation. Some operations require a scope that names them, also from a key without scopes. */
  scope_missing: 403;
  /** The request acts as a user, with a token or a key of the user, and a user may not do this: the operation is not for users, names another user, or is for the author of the message or the managers of the channel. */
  not_permitted: 403;
  /** The request has the cookie of the console instead of an API key, but not the marks of a request that the console sent: another page may have sent it. */
  cross_origin_request: 403;
  /** The channel is frozen and the user is not one of its managers. */
  channel_frozen: 403;
  /** The sender is not a participant or manager of the channel. */
  not_a_participant: 403;
  /** The user is muted in the channel and cannot send or react. Leaving the channel does not end a mute. */
  member_muted: 403;
  /** The user is banned from the channel and cannot join, be added, become a manager or send. */
  user_banned: 403;
  /** The user is suspended and cannot send, join or react in any channel. */
  user_suspended: 403;
  /** The channel has only two participants, and one of them has blocked the other. The response does not say who. Messages, edits, reactions, files and signals of both are rejected, those of the system are not. */
  user_blocked: 403;
  /** No user has this id: it was never created, or was deleted. */
  user_not_found: 404;
  /** No channel has this id: it was never created, or was deleted. */
  channel_not_found: 404;
  /** The user exists but is not a manager of the channel. */
  manager_not_found: 404;
  /** The user exists but is not a participant of the channel. */
  member_not_found: 404;
  /** The channel has no message with this id: it was never sent there, or was deleted. */
  message_not_found: 404;
  /** No such sub key exists: it was not created by this service, or was deleted already. */
  key_not_found: 404;
  /** No webhook has this id: it was never created, or was deleted. */
  webhook_not_found: 404;
  /** No report has this id: it was never created, or was removed with its channel. */
  report_not_found: 404;
  /** No erasure has this id. */
  erasure_not_found: 404;
  /** The user has no device with this id: it was never registered, was removed, or its push service no longer knows it. */
  device_not_found: 404;
  /** No filter has this id: it was never created, or was deleted. */
  filter_not_found: 404;
  /** No hook has this id: it was never created, or was deleted. */
  hook_not_found: 404;
  /** The channel has no file with this id that the caller may use: it was never created, was deleted, or has gone with its message. An address of a file is invalid or has expired. */
  file_not_found: 404;
  /** The service has no such path. */
  route_not_found: 404;
  /** The path exists, but not with this method. */
  method_not_allowed: 405;
  /** The headers did not arrive within 10 seconds, or the whole request within 13. Nothing was changed. */
  request_timeout: 408;
  /** A user with this id already exists; the id of a deleted user can be used again. */
  user_exists: 409;
  /** A channel with this id already exists; the id of a deleted channel can be used again. */
  channel_exists: 409;
  /** The user or channel would have more than 10 metadata pairs after the merge. Nothing was merged. */
  meta_limit_exceeded: 409;
  /** The channel already has 100 participants. */
  member_limit_exceeded: 409;
  /** The channel already has 10 managers. */
  manager_limit_exceeded: 409;
  /** 10 sub keys already exist. */
  key_limit_exceeded: 409;
  /** The message already has 20 different reactions. */
  reaction_limit_exceeded: 409;
  /** The channel already has 50 pinned messages, or the user 20 pinned channels. */
  pin_limit_exceeded: 409;
  /** The user has blocked 1,000 others already. */
  block_limit_exceeded: 409;
  /** The message was changed after the caller read it: its `updated_at` is no longer the `if_updated_at` of the request. Nothing was changed. */
  message_changed: 409;
  /** The message is still being written by appends. Nothing was changed. */
  message_streaming: 409;
  /** The message has ended: it was finished or cancelled, had no append for 60 seconds, or was sent complete. Nothing was changed. */
  message_not_streaming: 409;
  /** `index` is not the number of appends that the message has. Nothing was stored. */
  append_out_of_order: 409;
  /** The user, by its tokens, is already writing 20 messages. Nothing was stored. */
  stream_limit_exceeded: 409;
  /** The message would have more than 65,536 characters. Nothing was stored. */
  content_limit_exceeded: 409;
  /** The channel already has a message with this `external_id`. Nothing was stored. */
  external_id_exists: 409;
  /** 10 webhooks already exist. */
  webhook_limit_exceeded: 409;
  /** 100 filters already exist. */
  filter_limit_exceeded: 409;
  /** 5 hooks already exist. */
  hook_limit_exceeded: 409;
  /** A message has the file, or its bytes have arrived already. */
  file_in_use: 409;
  /** The bytes of a file have not arrived, so no message can have it yet. Nothing was stored. */
  file_not_uploaded: 409;
  /** The service is not set up for the provider of the device, so it cannot push messages to it. */
  push_not_configured: 409;
  /** The service does not record who is online. */
  presence_disabled: 409;
  /** The service has no storage for files. */
  files_disabled: 409;
  /** An earlier request had this idempotency key with another operation, path, query or body. Nothing was changed. A key can be used again after about 24 hours. */
  idempotency_key_reused: 409;
  /** The first request with this idempotency key is still running. */
  idempotency_key_in_use: 409;
  /** The events after this cursor are no longer stored. */
  events_expired: 410;
  /** The body has more than 1,048,576 bytes, in an import more than 8,388,608, or arrived in more than 4,096 chunks, in an import 32,768. */
  payload_too_large: 413;
  /** The body is not declared as JSON in UTF-8, or is compressed. */
  unsupported_media_type: 415;
  /** A check of the application rejects the text. `check` says which: `filter`, with the `filter_id`, or `hook`, perhaps with a `reason`. Nothing was stored; a message that was being written has ended as `cancelled`, without its text, if the request was to finish it. */
  message_rejected: 422;
  /** The channel is in slow mode, and the sender sent a message there less than `slow_mode_seconds` ago. Nothing was stored. */
  slow_mode: 429;
  /** The key made more requests than its limit allows, a message got more than 50 appends a second, the key, user or address has too many requests, streams of events or bytes at once, a user sent too many signals to a channel, or the client address sent too many wrong keys. */
  rate_limited: 429;
  /** An unexpected error occurred in the server. The request did not cause it. */
  internal: 500;
  /** The service cannot respond now: it is starting or stopping, or its database is unavailable. */
  unavailable: 503;
  /** The storage of files cannot be used now: its disk is full, read-only or missing, or the bucket does not respond. Nothing was stored. */
  storage_unavailable: 503;
  /** A hook could not check the message: your server did not respond in time, or its response was invalid. With `on_failure: "reject"`, unchecked messages are rejected. Nothing was stored; a message that is being written can still be finished. */
  check_unavailable: 503;
}

/** The name of a method: `users.meta.merge` is `chat.users.meta.merge()`. */
export type Operation = keyof ErrorCodes;

/** Every error code of the service today. A newer server may send others. */
export type ErrorCode = keyof ErrorStatuses;
