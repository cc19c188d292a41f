import type { Db } from "../db/db";
import { createBatcher } from "./batcher";
import type { BatchCommand } from "./command";
import { idempotencyNames } from "./request";
import { type RowOf, type Writer, writeRows } from "./writer";

/** How the changes of concurrent requests share statements. */
interface StatementSharing<Change, Result, Row, Column extends string> {
  readonly command: BatchCommand<Row, Column>;
  /** What the command gets for a change. */
  readonly rowOf: (change: Change, writer: Writer) => RowOf<Column>;
  readonly resultOf: (row: Row, change: Change) => Result;
  /** The channel whose rows are written. Absent if they are of no channel. */
  readonly channelOf?: (change: Change) => string;
  /** Changes of a group write the same row: they run in their order of arrival. */
  readonly groupOf: (change: Change) => string;
  /** Two changes with a name in common cannot both take effect. They are never in one batch. */
  readonly namesOf?: (change: Change) => readonly string[];
  /** Makes a change that took no effect in a batch, or finds the reason. */
  readonly runOne: (writer: Writer, change: Change) => Promise<Result>;
}

/** A statement that locks several channels waits no longer, so that a locked one delays the others only briefly. */
const maxSharedWaitMs = 50;

/** Changes that arrive while others run share the next statement. A statement reaches the channels of one schema. */
export function shareStatements<Change, Result, Row, Column extends string>(
  db: Db,
  { channelOf, ...sharing }: StatementSharing<Change, Result, Row, Column>,
): (writer: Writer, change: Change) => Promise<Result> {
  const batch = (db: Db) =>
    createBatcher<{ readonly writer: Writer; readonly change: Change }, Result>({
      groupOf: ({ change }) => sharing.groupOf(change),
      namesOf: ({ writer, change }) => [
        ...idempotencyNames(writer.request),
        ...(sharing.namesOf?.(change) ?? []),
      ],
      // With two at a time, each would be half as large, and a message would take a fifth more processor time.
      maxRunning: 1,
      async runMany(calls) {
        const channels = new Set(calls.map(({ change }) => channelOf?.(change)));
        const maxLockWaitMs = channels.size > 1 ? maxSharedWaitMs : undefined;
        const sent = calls.map(({ writer, change }) => ({ writer, row: sharing.rowOf(change, writer) }));
        const rows = await writeRows(db, sharing.command, sent, maxLockWaitMs);
        return calls.map(({ change }, index) => {
          const row = rows[index];
          return row && sharing.resultOf(row, change);
        });
      },
      runOne: ({ writer, change }) => sharing.runOne(writer, change),
    });
  const schemas = channelOf === undefined ? [db] : db.schemas();
  const batchers = new Map(schemas.map((schema) => [schema, batch(schema)]));
  return (writer, change) => {
    const add = batchers.get(channelOf === undefined ? db : db.channel(channelOf(change)));
    if (add === undefined) throw new Error("A channel is in one of the schemas.");
    return add({ writer, change });
  };
}
