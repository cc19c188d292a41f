import type { Call } from "./call";
import type { PageQuery } from "./create-pager";
import type { User, UsersListQuery } from "./generated/types";
import type { CallOptions } from "./options";
import type { PageData } from "./page-iterator";
import { createParseError } from "./response";

// No cursor of the service begins like this. The query of the next page follows.
const referencePrefix = "reference:";
const defaultPageSize = 15;

type UserPageQuery = PageQuery<UsersListQuery>;

/**
 * One page of users. A server responds with `{users, next}`, whose cursor is sent alone, or with a bare array: then the last
 * user is the reference of the next page, `limit` and `name` are repeated, and a short page is the last.
 */
export function fetchUsers(call: Call, query: UserPageQuery, options: CallOptions): Promise<PageData<User>> {
  const sent = query.next?.startsWith(referencePrefix) ? parseCursor(query.next) : query;
  return call("users.list", { query: sent }, options, (data, response) => {
    if (!Array.isArray(data)) return { items: data.users, next: data.next };
    if (sent.next !== undefined) throw createParseError(response, "a bare array instead of a page");
    // Some servers begin the page with the reference user, who was on the page before.
    const users = data[0]?.user_id === sent.base_user_id ? data.slice(1) : data;
    const last = data.length < (sent.limit ?? defaultPageSize) ? undefined : users.at(-1);
    return { items: users, next: last && createCursor(sent, last.user_id) };
  });
}

function parseCursor(cursor: string): UserPageQuery {
  const { limit, ...filters } = Object.fromEntries(new URLSearchParams(cursor.slice(referencePrefix.length)));
  return { ...filters, ...(limit !== undefined && { limit: Number(limit) }) };
}

function createCursor({ limit, name }: UserPageQuery, base_user_id: string): string {
  const query = new URLSearchParams({ base_user_id });
  if (limit !== undefined) query.set("limit", String(limit));
  if (name !== undefined) query.set("name", name);
  return referencePrefix + query;
}
