/** What any call can be refused with. */
type Any =
  | "invalid_request"
  | "unauthenticated"
  | "request_timeout"
  | "rate_limited"
  | "internal"
  | "unavailable";
/** What any call that changes something can be refused with. */
type AnyChange = Any | "idempotency_key_reused" | "idempotency_key_in_use";
/** What any call that may carry a body can be refused with. */
type AnyBody = AnyChange | "invalid_json" | "payload_too_large" | "unsupported_media_type";

/** The codes that each method can be refused with: `ErrorCodes["users.create"]`. */
export interface ErrorCodes {
  "users.list": Any | "invalid_cursor" | "user_not_found";
  "users.get": Any | "user_not_found";
  "users.create": AnyBody | "user_exists";
  "users.update": AnyBody | "user_not_found";
  "users.delete": AnyBody | "user_not_found";
  "users.meta.merge": AnyBody | "user_not_found" | "meta_limit_exceeded";
  "users.meta.delete": AnyBody | "user_not_found";
  "users.meta.deleteKey": AnyBody | "user_not_found";
  "channels.create": AnyBody | "user_not_found" | "channel_exists";
  "channels.list": Any | "invalid_cursor";
  "channels.get": Any | "channel_not_found";
  "channels.update": AnyBody | "channel_not_found";
  "channels.delete": AnyBody | "channel_not_found";
  "channels.freeze": AnyBody | "channel_not_found";
  "channels.members.list": Any | "channel_not_found";
  "channels.members.join": AnyBody | "channel_not_found" | "user_not_found" | "member_limit_exceeded";
  "channels.members.leave": AnyBody | "channel_not_found" | "user_not_found";
  "channels.managers.list": Any | "channel_not_found";
  "channels.managers.add": AnyBody | "channel_not_found" | "user_not_found" | "manager_limit_exceeded";
  "channels.managers.remove": AnyBody | "channel_not_found" | "user_not_found" | "manager_not_found";
  "channels.managers.revoke": AnyBody | "channel_not_found" | "user_not_found" | "manager_not_found";
  "messages.send": AnyBody | "channel_not_found" | "user_not_found" | "channel_frozen" | "not_a_participant";
  "exports.messages": Any | "invalid_cursor" | "channel_not_found";
  "keys.list": Any | "master_key_required";
  "keys.create": AnyBody | "master_key_required" | "key_limit_exceeded";
  "keys.delete": AnyBody | "master_key_required" | "key_not_found";
  "keys.revoke": AnyBody | "master_key_required" | "key_not_found";
}

/** The name of a method: `users.meta.merge` is `chat.users.meta.merge()`. */
export type Operation = keyof ErrorCodes;

/** Every code of the service of today. A newer server may send others. */
export type ErrorCode = ErrorCodes[Operation] | "route_not_found" | "method_not_allowed";
