import type { Call } from "./call";
import type { CallOptions } from "./options";
import { readPage } from "./page-answer";
import type { User, UserFilter } from "./users";
import type { Fetched } from "./walk";

// No cursor of the service begins so; what follows is the query that the next page repeats.
const referencePrefix = "reference:";
const usualPageSize = 15;

/**
 * One page of users. A server answers either `{users, next}`, whose cursor is sent alone, or a bare array: then the last
 * user of the page is the reference of the next, `limit` and `name` are repeated, and a short page is the last.
 */
export function fetchUsers(
  call: Call,
  filter: UserFilter,
  cursor: string | undefined,
  options: CallOptions,
): Promise<Fetched<User>> {
  const query = cursor === undefined ? createQuery(filter) : parseCursor(cursor);
  return call("users.list", { query }, options, (data, _answer, fail) => {
    if (!Array.isArray(data)) return readPage<User>(data, "users", fail);
    if (query.next !== undefined) throw fail("a bare array where a page belongs");
    // The reference itself opens the page on some servers. It was given before.
    const users: User[] = data[0]?.user_id === query.base_user_id ? data.slice(1) : data;
    const isLast = data.length < Number(query.limit ?? usualPageSize);
    const last = users.at(-1);
    return { items: users, next: isLast || !last ? undefined : createCursor(query, last.user_id) };
  });
}

interface Query extends Record<string, string | number | undefined> {
  next?: string;
  base_user_id?: string | undefined;
  limit?: string | number | undefined;
  name?: string | undefined;
}

function createQuery({ pageSize, name, base_user_id }: UserFilter): Query {
  return { limit: pageSize, name, base_user_id };
}

function parseCursor(cursor: string): Query {
  if (!cursor.startsWith(referencePrefix)) return { next: cursor };
  return Object.fromEntries(new URLSearchParams(cursor.slice(referencePrefix.length)));
}

function createCursor({ limit, name }: Query, base_user_id: string): string {
  const query = new URLSearchParams({ base_user_id });
  if (limit !== undefined) query.set("limit", String(limit));
  if (name !== undefined) query.set("name", name);
  return referencePrefix + query;
}
