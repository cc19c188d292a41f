import { limits } from "../rules/limits";
import type { ErrorCode } from "./errors";

const {
  bodyBytes,
  filters,
  hooks,
  idempotencyKey,
  importBodyBytes,
  managersPerChannel,
  membersPerChannel,
  pinsPerChannel,
  reactionsPerMessage,
  subKeys,
  webhooks,
} = limits;
const { maxPairs } = limits.meta;
const maxBlocks = limits.blocksPerUser.toLocaleString("en-US");
const maxBytes = bodyBytes.toLocaleString("en-US");

/** The explanation of a code. */
export interface ErrorHelp {
  readonly happened: string;
  readonly fix: string;
  /** An example of `detail`, as the server sends it. */
  readonly detail: string;
}

const wait = "Wait for the number of seconds in the `Retry-After` header, then send the same request again.";

/** The explanation of every code, for the reference page, docs/errors.md and the OpenAPI document. */
export const errorHelp = {
  invalid_request: {
    happened: "A parameter, a header or a field of the body is invalid, unknown, or was sent twice.",
    fix: "Read `errors`: each entry names the part of the request (`in`), the field (`path`) and the rule. Nothing was changed.",
    detail: "The request is invalid. In the query, limit: Must be a whole number from 5 to 30.",
  },
  invalid_json: {
    happened: "The body is not JSON in UTF-8, or is incomplete.",
    fix: "Send one JSON value in UTF-8, with a `Content-Length` that fits it.",
    detail: "The body is not valid JSON.",
  },
  invalid_cursor: {
    happened:
      "The cursor, `next` or `after`, was changed or truncated, or belongs to another operation, channel, user or service. A cursor of the feed of events is also rejected after the database was restored.",
    fix: "Send `next` exactly as the previous page of this list returned it, percent-encoded, without other parameters. To start from the first page, omit it.",
    detail: "The cursor in next is not from this list. Send it exactly as the list returned it.",
  },
  unauthenticated: {
    happened: "The request has no API key, an unknown one, or one that was deleted or has expired.",
    fix: "Send `Authorization: Bearer <key>` with the master key or an existing sub key.",
    detail: "No API key was sent. Send it as Authorization: Bearer <key>.",
  },
  master_key_required: {
    happened: "The operation manages sub keys, webhooks or hooks, and was called with a sub key.",
    fix: "Call it with the master key. A sub key cannot get this permission.",
    detail: "This operation requires the master key.",
  },
  not_permitted: {
    happened:
      "The request acts as a user, with a token or a key of the user, and a user may not do this: the operation is not for users, names another user, or is for the author of the message or the managers of the channel.",
    fix: "Let the server of the application make the request with an API key, after it has decided that the person may do this.",
    detail: "With a user's token or key, this operation is not permitted.",
  },
  scope_missing: {
    happened:
      "The sub key does not have the scope of the operation. Some operations require a scope that names them, also from a key without scopes.",
    fix: "Create a key with the scope that `detail` names, and use it for the operation. The scopes of a key cannot be changed.",
    detail: "This key does not have the scope messages.send, which this operation requires.",
  },
  cross_origin_request: {
    happened:
      "The request has the cookie of the console instead of an API key, but not the marks of a request that the console sent: another page may have sent it.",
    fix: "Send an API key in `Authorization`. Only the console itself uses its cookie, with `X-Madang-Console: 1` and from its own origin.",
    detail:
      "A request with the cookie of the console needs the header X-Madang-Console: 1. Other callers send an API key.",
  },
  channel_frozen: {
    happened: "The channel is frozen and the user is not one of its managers.",
    fix: "Send as a manager, or unfreeze the channel first.",
    detail: "The channel room_1 is frozen. Only its managers can send, edit and delete messages.",
  },
  not_a_participant: {
    happened: "The sender is not a participant or manager of the channel.",
    fix: "Add the user to the channel, then send again.",
    detail:
      "The user kim_01 is not a participant or manager of the channel room_1. Add the user to the channel first.",
  },
  member_muted: {
    happened:
      "The user is muted in the channel and cannot send or react. Leaving the channel does not end a mute.",
    fix: "Unmute the user, or wait for `muted_until` in the list of participants.",
    detail: "The user kim_01 is muted in the channel room_1. Unmute the user first.",
  },
  user_banned: {
    happened: "The user is banned from the channel and cannot join, be added, become a manager or send.",
    fix: "Remove the ban, or wait for its `until` in the list of bans.",
    detail: "The user kim_01 is banned from the channel room_1. Remove the ban first.",
  },
  user_suspended: {
    happened: "The user is suspended and cannot send, join or react in any channel.",
    fix: "End the suspension, or wait for `suspended_until` of the user.",
    detail: "The user kim_01 is suspended. End the suspension first.",
  },
  user_blocked: {
    happened:
      "The channel has only two participants, and one of them has blocked the other. The response does not say who. Messages, edits, reactions, files and signals of both are rejected, those of the system are not.",
    fix: "Show that messages are not possible here. Only who has blocked, or the application for it, can end the block.",
    detail: "In the channel room_1, one of the two users has blocked the other.",
  },
  user_not_found: {
    happened: "No user has this id: it was never created, or was deleted.",
    fix: "Check the ids in the path and in the body, or create the user first. Nothing was changed.",
    detail: "There is no user kim_01.",
  },
  channel_not_found: {
    happened: "No channel has this id: it was never created, or was deleted.",
    fix: "Check the id in the path, or create the channel first.",
    detail: "There is no channel room_1.",
  },
  manager_not_found: {
    happened: "The user exists but is not a manager of the channel.",
    fix: "There is nothing to remove. List the managers of the channel.",
    detail: "The user kim_01 is not a manager of the channel room_1.",
  },
  member_not_found: {
    happened: "The user exists but is not a participant of the channel.",
    fix: "Check both ids, or list the participants of the channel. Nothing was changed.",
    detail: "The user kim_01 is not a participant of the channel room_1.",
  },
  message_not_found: {
    happened: "The channel has no message with this id: it was never sent there, or was deleted.",
    fix: "Check both ids. If the request was a deletion, nothing is left to do.",
    detail: 'There is no message "1700000000000-1042" in the channel room_1.',
  },
  key_not_found: {
    happened: "No such sub key exists: it was not created by this service, or was deleted already.",
    fix: "There is nothing to delete. List the sub keys to see which exist.",
    detail: "There is no such sub key. It may have been deleted already.",
  },
  webhook_not_found: {
    happened: "No webhook has this id: it was never created, or was deleted.",
    fix: "Check the id in the path, or list the webhooks to see which exist.",
    detail: "There is no webhook wh_none.",
  },
  report_not_found: {
    happened: "No report has this id: it was never created, or was removed with its channel.",
    fix: "Check the id in the path, or list the reports to see which exist.",
    detail: "There is no report rep_none.",
  },
  erasure_not_found: {
    happened: "No erasure has this id.",
    fix: "Check the id in the path, or list the erasures to see which exist.",
    detail: "There is no erasure era_none.",
  },
  device_not_found: {
    happened:
      "The user has no device with this id: it was never registered, was removed, or its push service no longer knows it.",
    fix: "List the devices of the user. An app registers its device again at its next start.",
    detail: "The user kim_01 has no device phone-1.",
  },
  filter_not_found: {
    happened: "No filter has this id: it was never created, or was deleted.",
    fix: "Check the id in the path, or list the filters to see which exist.",
    detail: "There is no filter flt_none.",
  },
  hook_not_found: {
    happened: "No hook has this id: it was never created, or was deleted.",
    fix: "Check the id in the path, or list the hooks to see which exist.",
    detail: "There is no hook hook_none.",
  },
  file_not_found: {
    happened:
      "The channel has no file with this id that the caller may use: it was never created, was deleted, or has gone with its message. An address of a file is invalid or has expired.",
    fix: "Check the id, or get a new address from the message. Create another file for new bytes.",
    detail: 'There is no file "file_none".',
  },
  route_not_found: {
    happened: "The service has no such path.",
    fix: "Check the path: it starts with `/v1`, and each id in it is percent-encoded and not empty.",
    detail: "There is no such route. See /docs for all routes.",
  },
  method_not_allowed: {
    happened: "The path exists, but not with this method.",
    fix: "Use one of the methods in the `Allow` header of the response.",
    detail: "The method PATCH is not allowed for this route. Use GET, HEAD, POST, PUT.",
  },
  request_timeout: {
    happened:
      "The headers did not arrive within 10 seconds, or the whole request within 13. Nothing was changed.",
    fix: "Send the request again, on a new connection. The SDK does so automatically.",
    detail: "The request did not arrive in time. Send it again.",
  },
  user_exists: {
    happened: "A user with this id already exists; the id of a deleted user can be used again.",
    fix: "Choose another id, or update the existing user. If an earlier create timed out, that create has succeeded.",
    detail: "The user id kim_01 is taken. Choose another one.",
  },
  channel_exists: {
    happened: "A channel with this id already exists; the id of a deleted channel can be used again.",
    fix: "Choose another id, or use the existing channel. If an earlier create timed out, that create has succeeded.",
    detail: "The channel id room_1 is taken. Choose another one.",
  },
  meta_limit_exceeded: {
    happened: `The user or channel would have more than ${maxPairs} metadata pairs after the merge. Nothing was merged.`,
    fix: "Delete keys that are no longer used, then merge again.",
    detail: `The user kim_01 would have more than ${maxPairs} metadata pairs. Delete some keys first.`,
  },
  member_limit_exceeded: {
    happened: `The channel already has ${membersPerChannel} participants.`,
    fix: "Remove a participant first, or use another channel.",
    detail: `The channel room_1 already has ${membersPerChannel} participants, the maximum. Remove one first.`,
  },
  manager_limit_exceeded: {
    happened: `The channel already has ${managersPerChannel} managers.`,
    fix: "Remove a manager first.",
    detail: `The channel room_1 already has ${managersPerChannel} managers, the maximum. Remove one first.`,
  },
  key_limit_exceeded: {
    happened: `${subKeys} sub keys already exist.`,
    fix: "Delete a sub key that is no longer used, then create one.",
    detail: `There are already ${subKeys} sub keys, the maximum. Delete one first.`,
  },
  reaction_limit_exceeded: {
    happened: `The message already has ${reactionsPerMessage} different reactions.`,
    fix: "Use one of the reactions that the message has.",
    detail: `The message already has ${reactionsPerMessage} different reactions, the maximum. Use one of them.`,
  },
  pin_limit_exceeded: {
    happened: `The channel already has ${pinsPerChannel} pinned messages, or the user ${limits.pinnedChannels} pinned channels.`,
    fix: "Unpin a message, or a channel, first.",
    detail: `The channel room_1 already has ${pinsPerChannel} pinned messages, the maximum. Unpin one first.`,
  },
  block_limit_exceeded: {
    happened: `The user has blocked ${maxBlocks} others already.`,
    fix: "End a block first.",
    detail: `The user kim_01 has already blocked ${maxBlocks} users, the maximum. End a block first.`,
  },
  message_changed: {
    happened:
      "The message was changed after the caller read it: its `updated_at` is no longer the `if_updated_at` of the request. Nothing was changed.",
    fix: "Make the change to the message in `current`, and send its `updated_at`.",
    detail:
      "The message has another updated_at by now. Make the change to the one in current, and send its updated_at.",
  },
  message_streaming: {
    happened: "The message is still being written by appends. Nothing was changed.",
    fix: "Finish it first, with `messages.finish`, or wait until it ends: 60 seconds without an append end it.",
    detail: 'The message "1700000000000-1042" in the channel room_1 is being written. Finish it first.',
  },
  message_not_streaming: {
    happened:
      "The message has ended: it was finished or cancelled, had no append for 60 seconds, or was sent complete. Nothing was changed.",
    fix: "Stop writing. To complete a message that was interrupted, use `messages.update`.",
    detail:
      'The message "1700000000000-1042" in the channel room_1 is not being written. It has ended, or was sent complete.',
  },
  append_out_of_order: {
    happened: "`index` is not the number of appends that the message has. Nothing was stored.",
    fix: "Continue with the append whose index is `append_count` of the response. If another writer is at work, stop one of them.",
    detail: "The message has 0 appends, so the index of the next one is 0.",
  },
  stream_limit_exceeded: {
    happened: `The user, by its tokens, is already writing ${limits.streamedMessages} messages. Nothing was stored.`,
    fix: "Finish one of them first, with `messages.finish`. 60 seconds without an append end a message, too.",
    detail: `The user kim_01 is already writing ${limits.streamedMessages} messages, the maximum with tokens. Finish one first.`,
  },
  content_limit_exceeded: {
    happened: `The message would have more than ${limits.content.maxLength.toLocaleString("en-US")} characters. Nothing was stored.`,
    fix: "Finish the message, and continue in another one.",
    detail: `The message has ${limits.content.maxLength.toLocaleString("en-US")} characters already, and at most ${limits.content.maxLength.toLocaleString("en-US")} are allowed.`,
  },
  external_id_exists: {
    happened: "The channel already has a message with this `external_id`. Nothing was stored.",
    fix: "If it is the same message, there is nothing left to do: `message_id` names it. Otherwise choose another id.",
    detail: 'The channel room_1 already has a message with the external_id "m-1041".',
  },
  webhook_limit_exceeded: {
    happened: `${webhooks} webhooks already exist.`,
    fix: "Delete a webhook that is no longer used, then create one.",
    detail: `There are already ${webhooks} webhooks, the maximum. Delete one first.`,
  },
  filter_limit_exceeded: {
    happened: `${filters} filters already exist.`,
    fix: "Add words to a filter that exists, or delete one that is no longer used.",
    detail: `There are already ${filters} filters, the maximum. Delete one first.`,
  },
  hook_limit_exceeded: {
    happened: `${hooks} hooks already exist.`,
    fix: "Combine several checks in one hook, or delete a hook that is no longer used.",
    detail: `There are already ${hooks} hooks, the maximum. Delete one first.`,
  },
  file_in_use: {
    happened: "A message has the file, or its bytes have arrived already.",
    fix: "Create another file for another message. To delete the file, delete its message.",
    detail: "A message has the file file_7c9e6679e1f84cb8a40de44b07fc90ae. It is deleted with the message.",
  },
  file_not_uploaded: {
    happened: "The bytes of a file have not arrived, so no message can have it yet. Nothing was stored.",
    fix: "Upload the bytes to the address of the file, then send the message again.",
    detail: "The bytes of the file file_7c9e6679e1f84cb8a40de44b07fc90ae have not arrived yet.",
  },
  push_not_configured: {
    happened: "The service is not set up for the provider of the device, so it cannot push messages to it.",
    fix: "Set `MADANG_PUSH_CONTACT` for `webpush`, `MADANG_FCM_CREDENTIALS` for `fcm`, or the settings that begin with `MADANG_APNS_` for `apns`, and start the service again. `push.settings` says which providers are set up.",
    detail: "This service is not set up for webpush. Set MADANG_PUSH_CONTACT.",
  },
  presence_disabled: {
    happened: "The service does not record who is online.",
    fix: "Set `MADANG_PRESENCE` to `status` or `last_seen`, and restart the service.",
    detail: "This service does not record who is online. Set MADANG_PRESENCE to status or last_seen.",
  },
  files_disabled: {
    happened: "The service has no storage for files.",
    fix: "Set `MADANG_FILES` to a folder or a bucket, and start the service again.",
    detail: "This service stores no files. Set MADANG_FILES to a folder or a bucket.",
  },
  idempotency_key_reused: {
    happened: `An earlier request had this idempotency key with another operation, path, query or body. Nothing was changed. A key can be used again after about ${idempotencyKey.retentionHours} hours.`,
    fix: "Send a new `Idempotency-Key` with every new request, and the same one only to repeat that request.",
    detail: "An earlier request used this idempotency key. Send a new key with each new request.",
  },
  idempotency_key_in_use: {
    happened: "The first request with this idempotency key is still running.",
    fix: `${wait} With the same key it gets the response of the first one.`,
    detail: "The first request with this idempotency key is still running. Send this one again in a second.",
  },
  events_expired: {
    happened: "The events after this cursor are no longer stored.",
    fix: "Keep `next` of `GET /v1/events?after=latest`, read the current state of what you follow, then continue from that cursor.",
    detail:
      "Events after this cursor are no longer stored. Keep next of GET /v1/events?after=latest, read the current state, then continue from that cursor.",
  },
  payload_too_large: {
    happened: `The body has more than ${maxBytes} bytes, in an import more than ${importBodyBytes.toLocaleString("en-US")}, or arrived in more than 4,096 chunks, in an import 32,768.`,
    fix: "Send a smaller body, or several requests.",
    detail: `The body is larger than 1 MB (${maxBytes} bytes).`,
  },
  unsupported_media_type: {
    happened: "The body is not declared as JSON in UTF-8, or is compressed.",
    fix: "Send `Content-Type: application/json`, without `Content-Encoding`.",
    detail: "Send the body as JSON in UTF-8, with Content-Type: application/json.",
  },
  message_rejected: {
    happened:
      "A check of the application rejects the text. `check` says which: `filter`, with the `filter_id`, or `hook`, perhaps with a `reason`. Nothing was stored; a message that was being written has ended as `cancelled`, without its text, if the request was to finish it.",
    fix: "Show the writer that the message was not sent, and let the text be changed. The same text is rejected again.",
    detail: "The text contains what a filter of the application rejects.",
  },
  slow_mode: {
    happened:
      "The channel is in slow mode, and the sender sent a message there less than `slow_mode_seconds` ago. Nothing was stored.",
    fix: "Wait for the number of seconds in the `Retry-After` header, then send again. Managers of the channel need not wait.",
    detail: "The channel room_1 is in slow mode: the user kim_01 may send again in 30 seconds.",
  },
  rate_limited: {
    happened: `The key made more requests than its limit allows, a message got more than ${limits.append.perSecond} appends a second, the key, user or address has too many requests, streams of events or bytes at once, a user sent too many signals to a channel, or the client address sent too many wrong keys.`,
    fix: `${wait} The SDK does so automatically.`,
    detail: "Too many requests were sent with this key. Try again in 2 seconds.",
  },
  internal: {
    happened: "An unexpected error occurred in the server. The request did not cause it.",
    fix: "Repeat the request if the operation is safe to repeat. If it fails again, report the `request_id`: the server's log has the cause under it.",
    detail: "An unexpected error occurred. The server logged the cause under this request id.",
  },
  unavailable: {
    happened: "The service cannot respond now: it is starting or stopping, or its database is unavailable.",
    fix: `${wait} The SDK does so automatically.`,
    detail: "The database is unavailable. Try again shortly.",
  },
  storage_unavailable: {
    happened:
      "The storage of files cannot be used now: its disk is full, read-only or missing, or the bucket does not respond. Nothing was stored.",
    fix: `${wait} The SDK does so automatically. The operator finds the cause in the log of the server.`,
    detail: "The storage of files is unavailable. Try again shortly.",
  },
  check_unavailable: {
    happened:
      'A hook could not check the message: your server did not respond in time, or its response was invalid. With `on_failure: "reject"`, unchecked messages are rejected. Nothing was stored; a message that is being written can still be finished.',
    fix: `${wait} The SDK does so automatically. \`hooks.get\` shows why the latest calls failed.`,
    detail: "The application could not check the text. Try again shortly.",
  },
} as const satisfies Record<ErrorCode, ErrorHelp>;
