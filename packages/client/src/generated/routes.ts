// Generated from @madang/contract by `pnpm run generate`. Do not edit.

import { array, boolean, either, integer, map, object, optional, type ParameterRule, type Route, string, variants } from "../route";

const User = object({ user_id: string, name: string, profile_url: optional(string), meta: map, created_at: integer, updated_at: optional(integer), suspended_until: optional(integer) });
const UserPage = object({ users: array(User), next: optional(string) });
const UpsertResult = object({ user_id: string, result: optional(string), code: optional(string) });
const UpsertResults = object({ results: array(UpsertResult) });
const Retention = object({ days: optional(integer), hold: boolean });
const Channel = object({ channel_id: string, name: string, profile_url: optional(string), type: string, freeze: boolean, slow_mode_seconds: optional(integer), retention: optional(Retention), total_message_count: integer, total_file_count: integer, meta: map, created_at: integer, updated_at: integer });
const ChannelBan = object({ channel: Channel, until: optional(integer), reason: optional(string), created_at: integer });
const ChannelBanPage = object({ bans: array(ChannelBan), next: optional(string) });
const UserToken = object({ token: string, expires_at: integer });
const Block = object({ user: User, created_at: integer });
const BlockPage = object({ blocks: array(Block), next: optional(string) });
const MemberEntry = object({ user_id: string, name: string, profile_url: optional(string), meta: map, created_at: integer, updated_at: optional(integer), suspended_until: optional(integer), muted_until: optional(integer), joined_at: integer });
const ReactionCount = object({ reaction: string, count: integer, own: optional(boolean) });
const MessagePart = object({ type: string });
const Attachment = object({ file_id: string, name: string, type: string, size: integer, url: string });
const TextMessage = object({ message_id: string, channel_id: string, external_id: optional(string), user: User, type: string, content: string, parts: optional(array(MessagePart)), attachments: optional(array(Attachment)), state: optional(string), append_count: optional(integer), meta: map, created_at: integer, updated_at: integer, edited_at: optional(integer), reply_to: optional(string), reply_count: optional(integer), mentions: optional(array(string)), reactions: optional(array(ReactionCount)), pinned_at: optional(integer) });
const FileReference = object({ type: string, name: string, url: string, size: integer });
const FileMessage = object({ message_id: string, channel_id: string, external_id: optional(string), user: User, type: string, file: FileReference, meta: map, created_at: integer, updated_at: integer, edited_at: optional(integer), reply_to: optional(string), reply_count: optional(integer), mentions: optional(array(string)), reactions: optional(array(ReactionCount)), pinned_at: optional(integer) });
const SystemMessage = object({ message_id: string, channel_id: string, external_id: optional(string), type: string, content: string, parts: optional(array(MessagePart)), attachments: optional(array(Attachment)), state: optional(string), append_count: optional(integer), meta: map, created_at: integer, updated_at: integer, edited_at: optional(integer), reply_to: optional(string), reply_count: optional(integer), mentions: optional(array(string)), reactions: optional(array(ReactionCount)), pinned_at: optional(integer) });
const Message = variants("type", { "text": TextMessage, "file": FileMessage, "system": SystemMessage }, object({ message_id: string, channel_id: string, external_id: optional(string), type: string, meta: map, created_at: integer, updated_at: integer, edited_at: optional(integer), reply_to: optional(string), reply_count: optional(integer), mentions: optional(array(string)), reactions: optional(array(ReactionCount)), pinned_at: optional(integer) }));
const Preferences = object({ notify: optional(string), quiet_until: optional(integer), hidden: optional(boolean), archived: optional(boolean), pinned_at: optional(integer) });
const UserChannel = object({ channel_id: string, name: string, profile_url: optional(string), type: string, freeze: boolean, slow_mode_seconds: optional(integer), retention: optional(Retention), total_message_count: integer, total_file_count: integer, meta: map, created_at: integer, updated_at: integer, joined_at: integer, unread_count: integer, mention_count: integer, read_message_id: optional(string), member_count: integer, members: optional(array(MemberEntry)), last_message: optional(Message), preferences: optional(Preferences) });
const UserChannelPage = object({ channels: array(UserChannel), next: optional(string) });
const Unread = object({ unread_count: integer, channel_count: integer, quiet_unread_count: integer });
const LastPush = object({ at: integer, status: optional(integer), error: optional(string) });
const Device = object({ device_id: string, provider: string, locale: optional(string), created_at: integer, updated_at: integer, last_push: optional(LastPush) });
const Devices = object({ devices: array(Device) });
const PingResult = object({ status: optional(integer), duration_ms: integer, error: optional(string) });
const MessageHits = object({ messages: array(Message), next: optional(string) });
const ChannelPage = object({ channels: array(Channel), next: optional(string) });
const ChannelWithMembers = object({ channel_id: string, name: string, profile_url: optional(string), type: string, freeze: boolean, slow_mode_seconds: optional(integer), retention: optional(Retention), total_message_count: integer, total_file_count: integer, meta: map, created_at: integer, updated_at: integer, members: array(User) });
const Participant = object({ user_id: string, name: string, profile_url: optional(string), meta: map, created_at: integer, updated_at: optional(integer), suspended_until: optional(integer), muted_until: optional(integer), joined_at: integer, read_message_id: optional(string) });
const MemberState = object({ user_id: string, name: string, profile_url: optional(string), meta: map, created_at: integer, updated_at: optional(integer), suspended_until: optional(integer), muted_until: optional(integer), joined_at: integer, unread_count: optional(integer), read_message_id: optional(string) });
const Additions = object({ joined: array(string), already_joined: array(string) });
const ReadState = object({ unread_count: integer, read_message_id: optional(string) });
const Ban = object({ user: User, until: optional(integer), reason: optional(string), created_at: integer });
const BanPage = object({ bans: array(Ban), next: optional(string) });
const PinList = object({ messages: array(Message), next: optional(string) });
const AnnouncementResult = object({ channel_id: string, message: optional(Message), code: optional(string) });
const AnnouncementResults = object({ results: array(AnnouncementResult) });
const MessageList = object({ messages: array(Message), next: optional(string), newer: optional(string) });
const ReplyList = object({ messages: array(Message), next: optional(string) });
const Appended = object({ append_count: integer });
const MessageReaders = object({ readers: array(Participant), reader_count: integer, member_count: integer });
const Reaction = object({ reaction: string, user: User, created_at: integer });
const ReactionPage = object({ reactions: array(Reaction), next: optional(string) });
const MessageReactions = object({ reactions: array(ReactionCount) });
const ChatEvent = object({ event_id: string, type: string, created_at: integer });
const EventPage = object({ events: array(ChatEvent), next: string });
const EventQueue = object({ event_count: integer, lag_ms: integer });
const MessagePage = object({ messages: array(Message), timezone: string, next: optional(string) });
const ImportResult = object({ imported: integer, skipped: integer });
const SubKey = object({ key: string, key_id: string, user_id: optional(string), label: optional(string), scopes: optional(array(string)), created_at: integer, expires_at: optional(integer), last_used_at: optional(integer) });
const CallingKey = object({ kind: string, user_id: optional(string), label: optional(string), scopes: optional(array(string)), expires_at: optional(integer), key_id: optional(string) });
const WebhookWithSecret = object({ webhook_id: string, url: string, types: optional(array(string)), description: optional(string), enabled: boolean, secret: string, created_at: integer, updated_at: integer });
const Webhook = object({ webhook_id: string, url: string, types: optional(array(string)), description: optional(string), enabled: boolean, created_at: integer, updated_at: integer });
const DeliveryAttempt = object({ event_id: string, after: optional(string), attempt: integer, status: optional(integer), duration_ms: integer, error: optional(string), created_at: integer });
const AttemptPage = object({ attempts: array(DeliveryAttempt), next: optional(string) });
const Filter = object({ filter_id: string, label: string, pattern: optional(string), channel_ids: optional(array(string)), action: string, word_count: optional(integer), hit_count: integer, created_at: integer, updated_at: integer });
const FilterList = object({ filters: array(Filter) });
const FilterTrialResult = object({ matches: boolean, masked: string });
const FilterWithWords = object({ filter_id: string, label: string, pattern: optional(string), channel_ids: optional(array(string)), action: string, words: optional(array(string)), word_count: optional(integer), hit_count: integer, created_at: integer, updated_at: integer });
const HookWithSecret = object({ hook_id: string, url: string, operations: array(string), callers: string, timeout_ms: integer, on_failure: string, secret: string, created_at: integer, updated_at: integer });
const Hook = object({ hook_id: string, url: string, operations: array(string), callers: string, timeout_ms: integer, on_failure: string, created_at: integer, updated_at: integer });
const HookList = object({ hooks: array(Hook) });
const HookAttempt = object({ operation: string, outcome: string, status: optional(integer), duration_ms: integer, error: optional(string), created_at: integer });
const HookWithAttempts = object({ hook_id: string, url: string, operations: array(string), callers: string, timeout_ms: integer, on_failure: string, paused_until: optional(integer), attempts: array(HookAttempt), created_at: integer, updated_at: integer });
const ReportedMessage = object({ content: optional(string), file_name: optional(string), attachments: optional(array(string)), created_at: integer });
const Report = object({ report_id: string, channel_id: string, message_id: optional(string), reported_user_id: optional(string), reporter_user_id: optional(string), reason: string, reported: optional(ReportedMessage), status: string, resolution: optional(string), created_at: integer, updated_at: integer });
const ReportPage = object({ reports: array(Report), next: optional(string) });
const FileUpload = object({ method: string, url: string, headers: map, expires_at: integer });
const CreatedFile = object({ file_id: string, name: string, type: string, size: integer, status: string, created_at: integer, upload: FileUpload });
const StoredFile = object({ file_id: string, name: string, type: string, size: integer, status: string, created_at: integer, url: optional(string) });
const AuditEntry = object({ entry_id: string, at: integer, operation: string, method: string, status: integer, code: optional(string), kind: string, acting_user_id: optional(string), key_id: optional(string), actor: optional(string), reason: optional(string), address: string, user_id: optional(string), channel_id: optional(string), message_id: optional(string), subject: optional(string) });
const AuditPage = object({ entries: array(AuditEntry), next: optional(string) });
const ErasedCounts = object({ messages: integer, memberships: integer, channels: integer, held: optional(integer) });
const Erasure = object({ erasure_id: string, user_id: string, messages: string, status: string, erased: ErasedCounts, created_at: integer, completed_at: optional(integer) });
const ErasurePage = object({ erasures: array(Erasure), next: optional(string) });
const Person = object({ user_id: string, name: string, profile_url: optional(string), meta: map, created_at: integer, updated_at: optional(integer), suspended_until: optional(integer), deleted_at: optional(integer), suspension_reason: optional(string), last_seen_at: optional(integer) });
const PersonalMembership = object({ channel_id: string, role: string, joined_at: integer, read_message_id: optional(string), preferences: optional(Preferences) });
const PersonalReaction = object({ channel_id: string, message_id: string, reaction: string, created_at: integer });
const PersonalMention = object({ channel_id: string, message_id: string });
const PersonalMute = object({ channel_id: string, until: optional(integer) });
const PersonalBan = object({ channel_id: string, until: optional(integer), reason: optional(string), created_at: integer });
const PersonalFile = object({ channel_id: string, file_id: string, name: string, type: string, size: integer, status: string, created_at: integer });
const PersonalDevice = object({ device_id: string, provider: string, created_at: integer, updated_at: integer });
const PersonalBlock = object({ user_id: string, created_at: integer });
const PersonalData = object({ user: Person, memberships: array(PersonalMembership), messages: array(Message), reactions: array(PersonalReaction), mentions: array(PersonalMention), mutes: array(PersonalMute), bans: array(PersonalBan), reports: array(Report), files: array(PersonalFile), devices: array(PersonalDevice), blocks: array(PersonalBlock), next: optional(string) });
const UsageDay = object({ day: string, users_created: integer, users_deleted: integer, channels_created: integer, messages_sent: integer, messages_imported: integer, messages_deleted: integer });
const DailyUsage = object({ days: array(UsageDay) });
const WebPushSettings = object({ public_key: string });
const PushSettings = object({ providers: array(string), webpush: optional(WebPushSettings) });
const PushService = object({ service: string, provider: string, device_count: integer, waiting_count: integer, failing_since: optional(integer), error: optional(string) });
const PushServices = object({ services: array(PushService) });
const UserPresence = object({ user_id: string, status: string, last_seen_at: optional(integer) });
const PresenceList = object({ presence: array(UserPresence) });

export const parameterRules: Readonly<Record<string, ParameterRule>> = {
  user_id: { pattern: /^[a-z0-9_]*$/u, length: [4, 80], message: "Must be the id of a user: 4 to 80 characters; lower-case letters, digits and `_` only. ids.encode of the SDK and madang ids encode make an id of any other name." },
  key: { pattern: /^[A-Za-z\p{Script=Hangul}_-]+$/u, length: [1, 100], message: "Must be a metadata key: letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes." },
  blocked_user_id: { pattern: /^[a-z0-9_]*$/u, length: [4, 80], message: "Must be the user who is blocked. ids.encode of the SDK and madang ids encode make an id of any other name." },
  device_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 80], message: "Must be the id of a device: 1 to 80 letters, digits, `_` and `-`, chosen by the app. The same at every start of the app." },
  channel_id: { pattern: /^[a-z0-9_]*$/u, length: [4, 80], message: "Must be the id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only. ids.encode of the SDK and madang ids encode make an id of any other name." },
  message_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a message, as the service assigned it." },
  reaction: { pattern: /^(?!\.{1,2}$)(?=.*[^\p{Cf}\p{Default_Ignorable_Code_Point}])[^\p{White_Space}\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u, length: [1, 32], message: "Must be a reaction, such as an emoji: 1 to 32 characters without white space and control characters, not `.` or `..`. It is stored, and compared, in the normal form NFC." },
  webhook_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a webhook." },
  filter_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a filter." },
  hook_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a hook." },
  report_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a report." },
  file_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of a file." },
  erasure_id: { pattern: /^[A-Za-z0-9_-]*$/u, length: [1, 64], message: "Must be the id of an erasure." },
};

export const routes = {
  "users.list": { method: "GET", path: "/v1/users", pageSize: [5, 30], hasEmptyPages: true, response: either(UserPage, array(User)) },
  "users.get": { method: "GET", path: "/v1/users/:user_id", response: User },
  "users.create": { method: "POST", path: "/v1/users", response: User },
  "users.update": { method: "PUT", path: "/v1/users/:user_id", response: User },
  "users.upsertMany": { method: "PUT", path: "/v1/users", response: UpsertResults },
  "users.delete": { method: "DELETE", path: "/v1/users/:user_id" },
  "users.suspend": { method: "PUT", path: "/v1/users/:user_id/suspension", response: User },
  "users.unsuspend": { method: "DELETE", path: "/v1/users/:user_id/suspension", response: User },
  "users.bans": { method: "GET", path: "/v1/users/:user_id/bans", pageSize: [1, 100], response: ChannelBanPage },
  "users.createToken": { method: "POST", path: "/v1/users/:user_id/tokens", response: UserToken },
  "users.revokeTokens": { method: "DELETE", path: "/v1/users/:user_id/tokens" },
  "users.meta.merge": { method: "PUT", path: "/v1/users/:user_id/meta", response: User },
  "users.meta.delete": { method: "DELETE", path: "/v1/users/:user_id/meta", response: User },
  "users.meta.deleteKey": { method: "DELETE", path: "/v1/users/:user_id/meta/:key", variantOf: "users.meta.delete", response: User },
  "users.blocks.list": { method: "GET", path: "/v1/users/:user_id/blocks", pageSize: [1, 100], response: BlockPage },
  "users.blocks.add": { method: "PUT", path: "/v1/users/:user_id/blocks/:blocked_user_id" },
  "users.blocks.remove": { method: "DELETE", path: "/v1/users/:user_id/blocks/:blocked_user_id" },
  "users.channels": { method: "GET", path: "/v1/users/:user_id/channels", pageSize: [5, 30], response: UserChannelPage },
  "users.unread": { method: "GET", path: "/v1/users/:user_id/unread", response: Unread },
  "users.devices.list": { method: "GET", path: "/v1/users/:user_id/devices", response: Devices },
  "users.devices.register": { method: "PUT", path: "/v1/users/:user_id/devices/:device_id", response: Device },
  "users.devices.remove": { method: "DELETE", path: "/v1/users/:user_id/devices/:device_id" },
  "users.devices.ping": { method: "POST", path: "/v1/users/:user_id/devices/:device_id/ping", response: PingResult },
  "users.messages": { method: "GET", path: "/v1/users/:user_id/messages", pageSize: [1, 100], hasEmptyPages: true, response: MessageHits },
  "users.searchMessages": { method: "GET", path: "/v1/users/:user_id/messages/search", pageSize: [1, 100], hasEmptyPages: true, response: MessageHits },
  "channels.list": { method: "GET", path: "/v1/group/channels", pageSize: [5, 30], hasEmptyPages: true, response: ChannelPage },
  "channels.get": { method: "GET", path: "/v1/group/channels/:channel_id", response: Channel },
  "channels.create": { method: "POST", path: "/v1/group/channels", response: ChannelWithMembers },
  "channels.update": { method: "PUT", path: "/v1/group/channels/:channel_id", response: Channel },
  "channels.freeze": { method: "PUT", path: "/v1/group/channels/:channel_id/freeze", response: Channel },
  "channels.setSlowMode": { method: "PUT", path: "/v1/group/channels/:channel_id/slow_mode", response: Channel },
  "channels.setRetention": { method: "PUT", path: "/v1/group/channels/:channel_id/retention", response: Channel },
  "channels.delete": { method: "DELETE", path: "/v1/group/channels/:channel_id" },
  "channels.members.list": { method: "GET", path: "/v1/group/channels/:channel_id/members", response: array(Participant) },
  "channels.members.get": { method: "GET", path: "/v1/group/channels/:channel_id/members/:user_id", response: MemberState },
  "channels.members.join": { method: "PUT", path: "/v1/group/channels/:channel_id/join" },
  "channels.members.addMany": { method: "POST", path: "/v1/group/channels/:channel_id/members", response: Additions },
  "channels.members.leave": { method: "PUT", path: "/v1/group/channels/:channel_id/leave" },
  "channels.members.markRead": { method: "PUT", path: "/v1/group/channels/:channel_id/members/:user_id/read", response: ReadState },
  "channels.members.setPreferences": { method: "PUT", path: "/v1/group/channels/:channel_id/members/:user_id/preferences", response: UserChannel },
  "channels.members.mute": { method: "PUT", path: "/v1/group/channels/:channel_id/members/:user_id/mute" },
  "channels.members.unmute": { method: "DELETE", path: "/v1/group/channels/:channel_id/members/:user_id/mute" },
  "channels.managers.list": { method: "GET", path: "/v1/group/channels/:channel_id/managers", response: array(MemberEntry) },
  "channels.managers.add": { method: "POST", path: "/v1/group/channels/:channel_id/managers" },
  "channels.managers.remove": { method: "DELETE", path: "/v1/group/channels/:channel_id/managers" },
  "channels.managers.removeByPath": { method: "DELETE", path: "/v1/group/channels/:channel_id/managers/:user_id", variantOf: "channels.managers.remove" },
  "channels.meta.merge": { method: "PUT", path: "/v1/group/channels/:channel_id/meta", response: Channel },
  "channels.meta.delete": { method: "DELETE", path: "/v1/group/channels/:channel_id/meta", response: Channel },
  "channels.meta.deleteKey": { method: "DELETE", path: "/v1/group/channels/:channel_id/meta/:key", variantOf: "channels.meta.delete", response: Channel },
  "channels.bans.list": { method: "GET", path: "/v1/group/channels/:channel_id/bans", pageSize: [1, 100], response: BanPage },
  "channels.bans.add": { method: "PUT", path: "/v1/group/channels/:channel_id/bans/:user_id" },
  "channels.bans.remove": { method: "DELETE", path: "/v1/group/channels/:channel_id/bans/:user_id" },
  "channels.pins": { method: "GET", path: "/v1/group/channels/:channel_id/pins", response: PinList },
  "messages.search": { method: "GET", path: "/v1/group/channels/:channel_id/messages/search", pageSize: [1, 100], hasEmptyPages: true, response: MessageHits },
  "messages.searchAll": { method: "GET", path: "/v1/messages/search", pageSize: [1, 100], hasEmptyPages: true, response: MessageHits },
  "messages.send": { method: "POST", path: "/v1/group/channels/:channel_id/messages", response: Message },
  "messages.sendMany": { method: "POST", path: "/v1/messages", response: AnnouncementResults },
  "messages.list": { method: "GET", path: "/v1/group/channels/:channel_id/messages", pageSize: [1, 100], response: MessageList },
  "messages.get": { method: "GET", path: "/v1/group/channels/:channel_id/messages/:message_id", response: Message },
  "messages.update": { method: "PUT", path: "/v1/group/channels/:channel_id/messages/:message_id", response: Message },
  "messages.replies": { method: "GET", path: "/v1/group/channels/:channel_id/messages/:message_id/replies", pageSize: [1, 100], response: ReplyList },
  "messages.delete": { method: "DELETE", path: "/v1/group/channels/:channel_id/messages/:message_id" },
  "messages.append": { method: "POST", path: "/v1/group/channels/:channel_id/messages/:message_id/append", isRepeatable: true, response: Appended },
  "messages.finish": { method: "PUT", path: "/v1/group/channels/:channel_id/messages/:message_id/finish", response: Message },
  "messages.pin": { method: "PUT", path: "/v1/group/channels/:channel_id/messages/:message_id/pin" },
  "messages.unpin": { method: "DELETE", path: "/v1/group/channels/:channel_id/messages/:message_id/pin" },
  "messages.readers": { method: "GET", path: "/v1/group/channels/:channel_id/messages/:message_id/readers", response: MessageReaders },
  "messages.reactions.list": { method: "GET", path: "/v1/group/channels/:channel_id/messages/:message_id/reactions", pageSize: [1, 100], response: ReactionPage },
  "messages.reactions.add": { method: "PUT", path: "/v1/group/channels/:channel_id/messages/:message_id/reactions/:reaction/:user_id", response: MessageReactions },
  "messages.reactions.remove": { method: "DELETE", path: "/v1/group/channels/:channel_id/messages/:message_id/reactions/:reaction/:user_id", response: MessageReactions },
  "events.list": { method: "GET", path: "/v1/events", pageSize: [1, 500], response: EventPage },
  "events.queue": { method: "GET", path: "/v1/events/queue", response: EventQueue },
  "exports.messages": { method: "GET", path: "/v1/exports/group/channels/:channel_id/messages", pageSize: [100, 1000], response: MessagePage },
  "imports.messages": { method: "POST", path: "/v1/imports/group/channels/:channel_id/messages", response: ImportResult },
  "keys.list": { method: "GET", path: "/v1/applications/keys", response: array(SubKey) },
  "keys.self": { method: "GET", path: "/v1/applications/keys/self", response: CallingKey },
  "keys.create": { method: "POST", path: "/v1/applications/keys", response: SubKey },
  "keys.delete": { method: "DELETE", path: "/v1/applications/keys" },
  "keys.revoke": { method: "POST", path: "/v1/applications/keys/revoke", variantOf: "keys.delete" },
  "webhooks.create": { method: "POST", path: "/v1/webhooks", response: WebhookWithSecret },
  "webhooks.list": { method: "GET", path: "/v1/webhooks", response: array(Webhook) },
  "webhooks.get": { method: "GET", path: "/v1/webhooks/:webhook_id", response: Webhook },
  "webhooks.update": { method: "PUT", path: "/v1/webhooks/:webhook_id", response: Webhook },
  "webhooks.delete": { method: "DELETE", path: "/v1/webhooks/:webhook_id" },
  "webhooks.rotate": { method: "POST", path: "/v1/webhooks/:webhook_id/rotate", response: WebhookWithSecret },
  "webhooks.ping": { method: "POST", path: "/v1/webhooks/:webhook_id/ping", response: PingResult },
  "webhooks.replay": { method: "POST", path: "/v1/webhooks/:webhook_id/replay" },
  "webhooks.attempts": { method: "GET", path: "/v1/webhooks/:webhook_id/attempts", pageSize: [1, 100], response: AttemptPage },
  "filters.create": { method: "POST", path: "/v1/filters", response: Filter },
  "filters.list": { method: "GET", path: "/v1/filters", response: FilterList },
  "filters.try": { method: "POST", path: "/v1/filters/try", isRepeatable: true, response: FilterTrialResult },
  "filters.get": { method: "GET", path: "/v1/filters/:filter_id", response: FilterWithWords },
  "filters.update": { method: "PUT", path: "/v1/filters/:filter_id", response: Filter },
  "filters.delete": { method: "DELETE", path: "/v1/filters/:filter_id" },
  "hooks.create": { method: "POST", path: "/v1/hooks", response: HookWithSecret },
  "hooks.list": { method: "GET", path: "/v1/hooks", response: HookList },
  "hooks.get": { method: "GET", path: "/v1/hooks/:hook_id", response: HookWithAttempts },
  "hooks.update": { method: "PUT", path: "/v1/hooks/:hook_id", response: Hook },
  "hooks.delete": { method: "DELETE", path: "/v1/hooks/:hook_id" },
  "hooks.rotate": { method: "POST", path: "/v1/hooks/:hook_id/rotate", response: HookWithSecret },
  "reports.create": { method: "POST", path: "/v1/reports", response: Report },
  "reports.list": { method: "GET", path: "/v1/reports", pageSize: [1, 100], response: ReportPage },
  "reports.get": { method: "GET", path: "/v1/reports/:report_id", response: Report },
  "reports.resolve": { method: "PUT", path: "/v1/reports/:report_id", response: Report },
  "files.create": { method: "POST", path: "/v1/files", response: CreatedFile },
  "files.get": { method: "GET", path: "/v1/files/:file_id", response: StoredFile },
  "files.delete": { method: "DELETE", path: "/v1/files/:file_id" },
  "signals.send": { method: "POST", path: "/v1/group/channels/:channel_id/signals", isRepeatable: true },
  "audit.list": { method: "GET", path: "/v1/audit", pageSize: [1, 100], response: AuditPage },
  "privacy.erase": { method: "POST", path: "/v1/privacy/erasures", response: Erasure },
  "privacy.list": { method: "GET", path: "/v1/privacy/erasures", pageSize: [1, 100], response: ErasurePage },
  "privacy.get": { method: "GET", path: "/v1/privacy/erasures/:erasure_id", response: Erasure },
  "privacy.export": { method: "GET", path: "/v1/privacy/users/:user_id", pageSize: [1, 1000], hasEmptyPages: true, response: PersonalData },
  "usage.daily": { method: "GET", path: "/v1/usage", response: DailyUsage },
  "push.settings": { method: "GET", path: "/v1/push", response: PushSettings },
  "push.services": { method: "GET", path: "/v1/push/services", response: PushServices },
  "presence.list": { method: "GET", path: "/v1/presence", response: PresenceList },
} satisfies Record<string, Route>;

/** No operation of the contract, whose responses all end, but a method of the SDK. */
export const eventStreamRoute: Route = { method: "GET", path: "/v1/events/stream" };
