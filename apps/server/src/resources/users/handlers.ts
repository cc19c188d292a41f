import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { invalidQuery } from "../../errors";
import { once } from "../../idempotency/once";
import { takePage } from "../../paging/page";
import { openPageQuery, signNextPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import type { Deps } from "../deps";
import { inboxHandlers } from "../inbox/handlers";
import { batchUserCreation, batchUserLookups } from "./batches";
import { deleteUser } from "./delete-store";
import { deleteUserMeta, mergeUserMeta } from "./meta-store";
import { presentUser } from "./present";
import { listUsers, listUsersAfter, rejectUnknownUser, updateUser } from "./store";

const scope = "users";
const defaultLimit = limits.userPage.default;

export const userHandlers = (deps: Deps) => {
  const { db, now, cursors, pages, userList, onUserDeleted } = deps;
  const find = batchUserLookups(db);
  const createUser = batchUserCreation(db, now);
  return initServer().router(contract.users, {
    ...inboxHandlers(deps),
    list: async ({ query }) => {
      if (query.base_user_id !== undefined || userList === "reference") {
        if (query.next !== undefined)
          throw invalidQuery("next", "This list is paged with base_user_id and has no cursor.");
        const { base_user_id: base, name, limit: count = defaultLimit } = query;
        const users = await (base === undefined
          ? listUsers(db, { name, before: newest, count })
          : listUsersAfter(db, { name, base, count }));
        return { status: 200, body: users.map(presentUser) };
      }
      const { base_user_id: _, ...sent } = query;
      const pageQuery = openPageQuery<{ name?: string | undefined }>(cursors, scope, sent, defaultLimit);
      const { filters, limit, after = newest } = pageQuery;
      const { found, seen } = await pages.read(pageQuery, (reader) =>
        listUsers(reader, { name: filters.name, before: after, count: limit + 1 }),
      );
      const { items, last } = takePage(found, limit);
      return {
        status: 200,
        body: {
          users: items.map(presentUser),
          ...(last && { next: signNextPage(cursors, scope, { ...pageQuery, seen }, last) }),
        },
      };
    },
    get: async ({ params }) => ({
      status: 200,
      body: presentUser((await find(params.user_id)) ?? rejectUnknownUser(params.user_id)),
    }),
    create: async ({ body, res }) => {
      const { user_id: userId, name, profile_url: profileUrl, meta = {} } = body;
      const user = await createUser(once(db, res), { userId, name, profileUrl, meta });
      return { status: 201, body: presentUser(user) };
    },
    update: async ({ params, body, res }) => {
      const change = { name: body.name, profileUrl: body.profile_url };
      return {
        status: 200,
        body: presentUser(await updateUser(once(db, res), params.user_id, change, now())),
      };
    },
    delete: async ({ params, res }) => {
      await deleteUser(once(db, res), params.user_id, now());
      onUserDeleted();
      return { status: 200, body: undefined };
    },
    meta: {
      merge: async ({ params, body, res }) => {
        const user = await mergeUserMeta(once(db, res), params.user_id, body?.meta ?? {}, now());
        return { status: 200, body: presentUser(user) };
      },
      delete: async ({ params, body, res }) => {
        const user = await deleteUserMeta(once(db, res), params.user_id, body.keys, now());
        return { status: 200, body: presentUser(user) };
      },
      deleteKey: async ({ params, res }) => {
        const user = await deleteUserMeta(once(db, res), params.user_id, [params.key], now());
        return { status: 200, body: presentUser(user) };
      },
    },
  });
};
