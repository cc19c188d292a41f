import type { OperationId } from "@madang/contract";
import type { Request, Response } from "@madang/contract-tests";
import { expect } from "vitest";
import type { ChatClient } from "../src/client";

/** How an operation is called by the SDK, and what the SDK makes of its answer. */
export interface SdkCall {
  /** Undefined: the methods of the SDK have no way to say this. */
  readonly call: (chat: ChatClient, request: Sayable) => (() => PromiseLike<unknown>) | undefined;
  /** The body as it is recorded, when left out. */
  readonly read?: (recorded: Response, request: Sayable) => unknown;
}

/** A request whose values have the types of the contract, so that the types of the SDK take them. */
export interface Sayable {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  // Of the types of its operation, which `can-say` has seen; no one type holds all of them.
  readonly body: ReturnType<typeof JSON.parse>;
  readonly options: { readonly idempotencyKey?: string };
}

/** The one call of each operation: every interaction is replayed by it. An operation without one does not compile. */
export const sdkCalls = {
  "users.list": {
    call: (chat, { query }) => {
      const { name, base_user_id, ...rest } = query;
      const list = sayPage(rest, { name, base_user_id });
      return list && (() => chat.users.list({ ...list, name, base_user_id }).then(seePage));
    },
    read: ({ body }, { query }) =>
      Array.isArray(body)
        ? {
            items: body,
            // Of a bare array the SDK makes the cursor itself; a short one is the last.
            ...(body.length >= Number(query.limit ?? 15) && {
              nextCursor: expect.stringMatching(/^reference:/),
            }),
          }
        : expectPage(body, "users"),
  },
  "users.get": {
    call:
      (chat, { id }) =>
      () =>
        chat.users.get(id),
  },
  "users.create": {
    call:
      (chat, { body, options }) =>
      () =>
        chat.users.create(body, options),
  },
  "users.update": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.users.update(id, body),
  },
  "users.delete": {
    call:
      (chat, { id }) =>
      () =>
        chat.users.delete(id),
  },
  "users.meta.merge": {
    call: (chat, { id, body }) =>
      body?.meta === undefined ? undefined : () => chat.users.meta.merge(id, body.meta),
  },
  "users.meta.delete": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.users.meta.delete(id, body.keys),
  },

  "channels.create": {
    call:
      (chat, { body }) =>
      () =>
        chat.channels.create(body),
    read: ({ body, headers }) => ({ channel: body, created: headers?.["x-channel-created"] === "true" }),
  },
  "channels.update": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.update(id, body),
  },
  "channels.delete": {
    call:
      (chat, { id }) =>
      () =>
        chat.channels.delete(id),
  },

  "channels.members.list": {
    call:
      (chat, { id }) =>
      () =>
        chat.channels.members.list(id),
  },
  "channels.members.join": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.members.join(id, body.member),
  },
  "channels.members.leave": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.members.leave(id, body.member),
  },

  "channels.managers.list": {
    call:
      (chat, { id }) =>
      () =>
        chat.channels.managers.list(id),
  },
  "channels.managers.add": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.managers.add(id, body.manager),
  },
  "channels.managers.remove": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.managers.remove(id, body.manager),
  },

  "exports.messages": {
    call: (chat, { id, query }) => {
      const { start_date, end_date, timezone, ...rest } = query;
      const list = sayPage(rest, { start_date, end_date, timezone });
      const range = { ...list, start_date, end_date, timezone };
      return (
        list &&
        (() =>
          chat.exports.messages(id, range).then((page) => ({ ...seePage(page), timezone: page.timezone })))
      );
    },
    read: ({ body }) => ({ ...expectPage(body, "messages"), timezone: Object(body).timezone }),
  },

  "keys.list": { call: (chat) => () => chat.keys.list() },
  "keys.create": {
    call: (chat, { body }) => (body === undefined ? () => chat.keys.create() : undefined),
  },
  "keys.delete": {
    call:
      (chat, { body }) =>
      () =>
        chat.keys.delete(body.key),
  },

  "channels.get": {
    call:
      (chat, { id }) =>
      () =>
        chat.channels.get(id),
  },
  "channels.list": {
    call: (chat, { query }) => {
      const list = sayPage(query);
      return list && (() => chat.channels.list(list).then(seePage));
    },
    read: ({ body }) => expectPage(body, "channels"),
  },
  "channels.freeze": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.channels.freeze(id, body.freeze),
  },
  "channels.managers.removeByPath": {
    call:
      (chat, { params }) =>
      () =>
        chat.channels.managers.revoke(params.channel_id ?? "", params.user_id ?? ""),
  },
  "users.meta.deleteKey": {
    call:
      (chat, { params }) =>
      () =>
        chat.users.meta.deleteKey(params.user_id ?? "", params.key ?? ""),
  },
  "keys.revoke": {
    call:
      (chat, { body }) =>
      () =>
        chat.keys.revoke(body.key),
  },
  "messages.send": {
    call:
      (chat, { id, body }) =>
      () =>
        chat.messages.send(id, body),
  },
} satisfies Record<OperationId, SdkCall>;

/** A cursor is sent alone, and a page size is a number: other requests cannot be said. */
function sayPage(
  { limit, next }: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string | undefined>> = {},
): { pageSize?: number; cursor?: string } | undefined {
  const isAlone = limit === undefined && Object.values(others).every((value) => value === undefined);
  if (next !== undefined) return isAlone ? { cursor: next } : undefined;
  if (limit === undefined) return {};
  return String(Number(limit)) === limit ? { pageSize: Number(limit) } : undefined;
}

function seePage({ items, nextCursor }: { items: unknown; nextCursor?: string }) {
  return { items, ...(nextCursor !== undefined && { nextCursor }) };
}

function expectPage(body: unknown, name: string) {
  const { [name]: items, next } = Object(body);
  return { items, ...(next !== undefined && { nextCursor: next }) };
}

/** The values of a request that its one call needs. */
export function toSayable({ params = {}, query = {}, body, headers = {} }: Request): Sayable {
  const idempotencyKey = headers["idempotency-key"];
  return {
    params,
    id: params.user_id ?? params.channel_id ?? "",
    // A parameter that is given twice is never said.
    query: query as Record<string, string>,
    body,
    options: { ...(idempotencyKey !== undefined && { idempotencyKey }) },
  };
}
