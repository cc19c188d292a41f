import { limits } from "@madang/contract";
import type { MetaChange, MetaDeletion, NewUser, UserChange } from "../generated/types";
import type { Handler } from "./handler";
import { type Query, takePage } from "./paging";
import { ServiceError } from "./service-error";
import { presentUser, type StoredUser } from "./world";

export const userHandlers = {
  "users.list": ({ query }, { world, userList }) => {
    const find = ({ name }: Query) =>
      [...world.users.values()]
        .filter((user) => name === undefined || user.name === name)
        .map((user) => ({ row: presentUser(user), order: user.person }))
        .sort((one, other) => other.order - one.order);
    const { base_user_id: base, limit = limits.userPage.default } = query;
    if (base !== undefined || (userList === "reference" && query.next === undefined)) {
      const before = base === undefined ? Number.POSITIVE_INFINITY : world.requireUser(base).person;
      const rows = find(query).filter(({ order }) => order < before);
      return { body: rows.slice(0, limit).map(({ row }) => row) };
    }
    const page = takePage("users", query, limits.userPage.default, find);
    return { body: { users: page.rows, ...(page.next !== undefined && { next: page.next }) } };
  },
  "users.get": ({ params: { user_id = "" } }, { world }) => ({
    body: presentUser(world.requireUser(user_id)),
  }),
  "users.create": ({ body }, { world, now }) => {
    const { user_id, name, profile_url = "", meta = {} }: NewUser = body;
    if (world.users.has(user_id))
      throw new ServiceError("user_exists", `The user ${user_id} exists already.`);
    const user = {
      user_id,
      name,
      profile_url,
      meta,
      created_at: now,
      updated_at: now,
      person: world.nextNumber(),
    };
    world.users.set(user_id, user);
    return { body: presentUser(user) };
  },
  "users.update": ({ params: { user_id = "" }, body }, { world, now }) => {
    const user = world.requireUser(user_id);
    const { name, profile_url = user.profile_url ?? "" }: UserChange = body;
    return { body: presentUser(Object.assign(user, { name, profile_url, updated_at: now })) };
  },
  "users.delete": ({ params: { user_id = "" } }, { world }) => {
    world.requireUser(user_id);
    world.users.delete(user_id);
    for (const { members, managers } of world.channels.values()) {
      members.delete(user_id);
      managers.delete(user_id);
    }
    return {};
  },
  "users.meta.merge": ({ params: { user_id = "" }, body }, { world, now }) => {
    const user = world.requireUser(user_id);
    const { meta }: MetaChange = body ?? {};
    if (meta === undefined) return { body: presentUser(user) };
    return { body: presentUser(setMeta(user, { ...user.meta, ...meta }, now)) };
  },
  "users.meta.delete": ({ params: { user_id = "" }, body }, { world, now }) => {
    const user = world.requireUser(user_id);
    const { keys }: MetaDeletion = body;
    return { body: presentUser(deleteMeta(user, keys, now)) };
  },
  "users.meta.deleteKey": ({ params: { user_id = "", key = "" } }, { world, now }) => ({
    body: presentUser(deleteMeta(world.requireUser(user_id), [key], now)),
  }),
} as const satisfies Record<string, Handler>;

function deleteMeta(user: StoredUser, keys: readonly string[], now: number): StoredUser {
  const kept = Object.entries(user.meta).filter(([key]) => !keys.includes(key));
  return setMeta(user, Object.fromEntries(kept), now);
}

function setMeta(user: StoredUser, meta: Record<string, string>, now: number): StoredUser {
  const pairs = Object.keys(meta).length;
  if (pairs > limits.meta.maxPairs)
    throw new ServiceError(
      "meta_limit_exceeded",
      `The user would have ${pairs} pairs; at most ${limits.meta.maxPairs} are stored.`,
    );
  const isSame =
    pairs === Object.keys(user.meta).length &&
    Object.entries(meta).every(([key, value]) => user.meta[key] === value);
  return isSame ? user : Object.assign(user, { meta, updated_at: now });
}
