import { isInForce } from "../../chat/restrictions/conditions";
import { lockUsersFully, requireUserPk, type UserRow, userResource } from "../../chat/users/store";
import type { Db } from "../../db/db";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { rejectPastTime } from "./store";

/** Suspends a user until a time, or without end if it is 0. Waits for the sends and joins of the user. */
export function suspendUser(
  writer: Writer,
  userId: string,
  { until, reason }: { until: number; reason: string | undefined },
  now: number,
): Promise<UserRow> {
  return writeOrExplain(
    () => writer.write(suspend, { id: userId, now, until, reason: reason ?? null }),
    async () => {
      await rejectPastTime(writer.db, until);
      return requireUser(writer.db, userId);
    },
  );
}

export function unsuspendUser(writer: Writer, userId: string, now: number): Promise<UserRow> {
  return writeOrExplain(
    () => writer.write(unsuspend, { id: userId, now }),
    () => requireUser(writer.db, userId),
  );
}

async function requireUser(db: Db, userId: string): Promise<undefined> {
  await requireUserPk(db, userId);
}

const suspend = userResource.defineChange({
  name: "users.suspend",
  columns: { until: "bigint", reason: "text" },
  lock: lockUsersFully,
  isChanged: "(suspended_until, suspension_reason) IS DISTINCT FROM (until, reason)",
  assignments: "suspended_until = until, suspension_reason = reason",
  condition: isInForce("until"),
});

// A suspension that has expired stays: nothing changes.
const unsuspend = userResource.defineChange({
  name: "users.unsuspend",
  columns: {},
  lock: lockUsersFully,
  isChanged: isInForce("suspended_until"),
  assignments: `suspended_until = CASE WHEN NOT is_changed THEN suspended_until END,
          suspension_reason = CASE WHEN NOT is_changed THEN suspension_reason END`,
});
