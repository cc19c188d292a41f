import type { User } from "../generated/types";
import type { Data, Input } from "../transport/call";
import { createParseError, type ReceivedResponse } from "../transport/response";
import type { PageData } from "./page-iterator";
import { formatCursor } from "./sdk-cursor";

const defaultPageSize = 15;

/**
 * One page of users. A server responds with `{users, next}`, whose cursor is sent alone, or with a bare array: then the last
 * user is the reference of the next page, `limit` and `name` are repeated, and a short page is the last.
 */
export function readUserPage(
  data: Data<"users.list">,
  query: Input<"users.list">["query"] & object,
  response: ReceivedResponse,
): PageData<User> {
  if (!Array.isArray(data)) return { items: data.users, next: data.next };
  if (query.next !== undefined) throw createParseError(response, "a bare array instead of a page");
  // Some servers begin the page with the reference user, who was on the page before.
  const users = data[0]?.user_id === query.base_user_id ? data.slice(1) : data;
  const last = data.length < (query.limit ?? defaultPageSize) ? undefined : users.at(-1);
  return {
    items: users,
    next: last && formatCursor({ ...query, base_user_id: last.user_id }),
  };
}
