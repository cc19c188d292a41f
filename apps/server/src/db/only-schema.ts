import type { Queryable } from "./db";

/** A database that has the rows of all its channels itself. */
export function openOnlySchema(runs: Pick<Queryable, "query" | "transaction">): Queryable {
  const session: Queryable = {
    ...runs,
    channel: () => session,
    schemas: () => [session],
    isDistributed: false,
  };
  return session;
}
