import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { ListOptions } from "./page";
import type { PageData } from "./page-iterator";
import { readPage } from "./read-page";
import { createParseError } from "./response";
import type { User } from "./wire";

// No cursor of the service begins like this. The query of the next page follows.
const referencePrefix = "reference:";
const defaultPageSize = 15;

/**
 * One page of users. A server responds with `{users, next}`, whose cursor is sent alone, or with a bare array: then the last
 * user is the reference of the next page, `limit` and `name` are repeated, and a short page is the last.
 */
export function fetchUsers(
  call: Call,
  filter: ListOptions & Query,
  cursor: string | undefined,
  options: CallOptions,
): Promise<PageData<User>> {
  const query = cursor === undefined ? createQuery(filter) : parseCursor(cursor);
  return call("users.list", { query: { ...query } }, options, (data, response) => {
    if (!Array.isArray(data)) return readPage<User>(data, "users", response);
    if (query.next !== undefined) throw createParseError(response, "a bare array instead of a page");
    // Some servers begin the page with the reference user, who was on the page before.
    const users: User[] = data[0]?.user_id === query.base_user_id ? data.slice(1) : data;
    const isLast = data.length < Number(query.limit ?? defaultPageSize);
    const last = users.at(-1);
    return { items: users, next: isLast || !last ? undefined : createCursor(query, last.user_id) };
  });
}

interface Query {
  next?: string;
  base_user_id?: string | undefined;
  limit?: string | number | undefined;
  name?: string | undefined;
}

function createQuery({ pageSize, name, base_user_id }: ListOptions & Query): Query {
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
