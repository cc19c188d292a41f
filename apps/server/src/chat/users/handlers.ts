import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { invalidField } from "../../errors/service-error";
import { inOrder, requireAlone } from "../../paging/id-list";
import { newest } from "../../paging/position";
import type { Writer } from "../../write/writer";
import type { ChatDeps } from "../deps";
import { createNamedList } from "../names/named-list";
import { deleteMeta, mergeMeta, updateResource } from "../resources/store";
import { deleteUser } from "./delete-store";
import { presentUser } from "./present";
import {
  batchUserLookups,
  createUser,
  findUsers,
  rejectUnknownUser,
  requireUserPosition,
  userLists,
  userResource,
} from "./store";
import { upsertUsers } from "./upsert-store";

const pageSize = limits.userPage;

export const userHandlers = (deps: ChatDeps) => {
  const { now, cursors, userList, revocations, keyRing, wake } = deps;
  const { names } = deps.resources;
  const find = batchUserLookups(deps.db);
  const source = userLists(deps.db);
  const list = createNamedList({ cursors, scope: "users", pageSize, source, names });
  const deleteKeys = async (id: string, keys: readonly string[], writer: Writer) => {
    const user = await deleteMeta(writer, userResource, { id, keys, now: now() });
    return { status: 200, body: presentUser(user) } as const;
  };
  return defineHandlers(contract.users, {
    list: async ({ query: { user_ids: userIds, ...query }, db }) => {
      if (userIds !== undefined) {
        requireAlone("user_ids", query);
        const found = inOrder(userIds, await findUsers(db, userIds), ({ userId }) => userId);
        return { status: 200, body: { users: found.map(presentUser) } };
      }
      if (query.base_user_id !== undefined || userList === "reference") {
        if (query.next !== undefined)
          throw invalidField("query", "next", "This list is paged with base_user_id and has no cursor.");
        if (query.name_prefix !== undefined)
          throw invalidField("query", "name_prefix", "A list that is paged with base_user_id has no prefix.");
        if (query.q !== undefined)
          throw invalidField("query", "q", "A list that is paged with base_user_id has no search.");
        const { base_user_id: base, name, limit: count = pageSize.default } = query;
        const before = base === undefined ? newest : await requireUserPosition(db, base);
        const users = await source.list(before, count, name);
        return { status: 200, body: users.map(presentUser) };
      }
      const { base_user_id: _, ...sent } = query;
      if (sent.name !== undefined && sent.name_prefix !== undefined)
        throw invalidField("query", "name_prefix", "It cannot be sent together with name.");
      if (sent.q !== undefined && (sent.name !== undefined || sent.name_prefix !== undefined))
        throw invalidField("query", "q", "It cannot be sent together with name or name_prefix.");
      const { items, next } = await list(sent);
      return { status: 200, body: { users: items.map(presentUser), ...(next && { next }) } };
    },
    get: async ({ params }) => ({
      status: 200,
      body: presentUser((await find(params.user_id)) ?? rejectUnknownUser(params.user_id)),
    }),
    create: async ({ body, writer }) => {
      const { user_id: userId, name, profile_url: profileUrl, meta = {} } = body;
      const user = await createUser(writer, { userId, name, profileUrl, meta }, now());
      return { status: 201, body: presentUser(user) };
    },
    update: async ({ params, body, writer }) => {
      const change = { id: params.user_id, name: body.name, profileUrl: body.profile_url, now: now() };
      return { status: 200, body: presentUser(await updateResource(writer, userResource, change)) };
    },
    upsertMany: async ({ body, writer }) => {
      const users = body.users.map(({ user_id: userId, name, profile_url: profileUrl, meta = {} }) => ({
        userId,
        name,
        profileUrl,
        meta,
      }));
      const rows = await upsertUsers(writer, users, now());
      const results = rows.map(({ userId, result, code }) => ({
        user_id: userId,
        ...(result !== null && { result }),
        ...(code !== null && { code }),
      }));
      return { status: 200, body: { results } };
    },
    delete: async ({ params, writer }) => {
      await deleteUser(writer, params.user_id, now());
      // Its tokens and keys end.
      revocations.forget();
      keyRing.forget();
      wake("ending roles of deleted users");
      return { status: 200, body: undefined };
    },
    meta: {
      merge: async ({ params, body, writer }) => {
        const change = { id: params.user_id, pairs: body?.meta ?? {}, now: now() };
        return { status: 200, body: presentUser(await mergeMeta(writer, userResource, change)) };
      },
      delete: async ({ params, body, writer }) => deleteKeys(params.user_id, body.keys, writer),
      deleteKey: async ({ params, writer }) => deleteKeys(params.user_id, [params.key], writer),
    },
  });
};
