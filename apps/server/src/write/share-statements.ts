import type { Db } from "../db/db";
import { createBatcher } from "./batcher";
import type { Command, SharedCall, Sharing } from "./command";
import { idempotencyNames } from "./request";
import { runCalls } from "./run-command";

/** A statement for several groups waits no longer for a lock, so that a locked row delays the others only briefly. */
const maxSharedWaitMs = 50;

/** Creates a function that runs a command for a call. The calls that arrive while others run share the next statement. */
export function shareStatements<Row, Column extends string>(
  db: Db,
  command: Command<Row, Column>,
  { group, distinct = group }: Sharing<Column>,
): (call: SharedCall<Column>) => Promise<Row | undefined> {
  const groupOf = ({ row }: SharedCall<Column>) => JSON.stringify(group.map((column) => row[column]));
  const nameOf = ({ row }: SharedCall<Column>) => distinct.map((column) => row[column] ?? null);
  return createBatcher<SharedCall<Column>, Row | undefined>({
    groupOf,
    namesOf(call) {
      const name = nameOf(call);
      const names = name.includes(null) ? [] : [JSON.stringify(name)];
      return [...idempotencyNames(call.write.request), ...names];
    },
    // With two at a time, each would be half as large, and a message would take a fifth more processor time.
    maxRunning: 1,
    runMany(calls) {
      const groups = new Set(calls.map(groupOf));
      return runCalls(db, command, calls, groups.size > 1 ? maxSharedWaitMs : null);
    },
    async runOne(call) {
      const [result] = await call.inTurn(() => runCalls(db, command, [call]));
      return result;
    },
  });
}
