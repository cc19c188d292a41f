import { notPermitted } from "../../errors/service-error";
import type { ActingUser } from "../../security/acting-user";
import type { Call } from "../handler";
import type { AnyOperation } from "../request/operation";

/**
 * Where a request that acts as a user may name only that user, another name is rejected, and an absent one filled in. The other
 * rights depend on the channel: the stores check them with the statement that reads, or under the lock of the change.
 */
export function limitToOwnUser(
  { user: right, selfField, route }: AnyOperation,
  { params, query, body }: Call,
  { userId }: ActingUser,
): Pick<Call, "query" | "body"> {
  const named = [
    ...(right === "self" ? [Object(params).user_id] : []),
    ...(selfField === undefined ? [] : [Object(body)[selfField]]),
    Object(query).as_user,
  ];
  if (named.some((id) => id !== undefined && id !== userId))
    throw notPermitted("With a user's token or key, the request cannot name another user here.");
  const hasAsUser = Object(Object(route.query).shape).as_user !== undefined;
  return {
    query: hasAsUser ? { ...Object(query), as_user: userId } : query,
    body: selfField === undefined ? body : { ...Object(body), [selfField]: userId },
  };
}
