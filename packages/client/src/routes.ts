export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The answer carries no body. */
  readonly empty?: true;
  /** Sending it twice is not the same as sending it once, unless both carry one idempotency key. */
  readonly once?: true;
  /** The refusal that says "it is already so" when an earlier attempt may have done the work. */
  readonly gone?: string;
}

const channels = "/v1/group/channels";
const channel = `${channels}/:channel_id` as const;
const user = "/v1/users/:user_id";
const keys = "/v1/applications/keys";

/** Every operation under the name of its method: `users.meta.merge` is `chat.users.meta.merge()`. */
export const routes = {
  "users.list": { method: "GET", path: "/v1/users" },
  "users.get": { method: "GET", path: user },
  "users.create": { method: "POST", path: "/v1/users", once: true },
  "users.update": { method: "PUT", path: user },
  "users.delete": { method: "DELETE", path: user, empty: true, gone: "user_not_found" },
  "users.meta.merge": { method: "PUT", path: `${user}/meta` },
  "users.meta.delete": { method: "DELETE", path: `${user}/meta` },
  "users.meta.deleteKey": { method: "DELETE", path: `${user}/meta/:key` },
  "channels.create": { method: "POST", path: channels, once: true },
  "channels.list": { method: "GET", path: channels },
  "channels.get": { method: "GET", path: channel },
  "channels.update": { method: "PUT", path: channel },
  "channels.delete": { method: "DELETE", path: channel, empty: true, gone: "channel_not_found" },
  "channels.freeze": { method: "PUT", path: `${channel}/freeze` },
  "channels.members.list": { method: "GET", path: `${channel}/members` },
  "channels.members.join": { method: "PUT", path: `${channel}/join`, empty: true },
  "channels.members.leave": { method: "PUT", path: `${channel}/leave`, empty: true },
  "channels.managers.list": { method: "GET", path: `${channel}/managers` },
  "channels.managers.add": { method: "POST", path: `${channel}/managers`, empty: true },
  "channels.managers.remove": {
    method: "DELETE",
    path: `${channel}/managers`,
    empty: true,
    gone: "manager_not_found",
  },
  "channels.managers.revoke": {
    method: "DELETE",
    path: `${channel}/managers/:user_id`,
    empty: true,
    gone: "manager_not_found",
  },
  "messages.send": { method: "POST", path: `${channel}/messages`, once: true },
  "exports.messages": { method: "GET", path: "/v1/exports/group/channels/:channel_id/messages" },
  "keys.list": { method: "GET", path: keys },
  "keys.create": { method: "POST", path: keys, once: true },
  "keys.delete": { method: "DELETE", path: keys, empty: true, gone: "key_not_found" },
  "keys.revoke": { method: "POST", path: `${keys}/revoke`, empty: true },
} as const satisfies Record<string, Route>;
