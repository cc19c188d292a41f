import type { Queryable } from "../../db/db";
import { createBatcher } from "../../write/batcher";
import type { Writer } from "../../write/writer";
import { markManyRead, markRead, type ReadMark, type ReadState } from "./read-mark-store";

/** Moves read marks. Marks that arrive while a statement runs share the next one. */
export function batchReadMarks(db: Queryable): (writer: Writer, mark: ReadMark) => Promise<ReadState> {
  const nameOf = ({ channelId, userId }: ReadMark) => `${channelId} ${userId}`;
  const move = createBatcher<{ writer: Writer; mark: ReadMark }, ReadState>({
    keyOf: ({ mark }) => nameOf(mark),
    distinctOf: ({ mark }) => [nameOf(mark)],
    maxRunning: 2,
    runMany: (batch) =>
      markManyRead(
        db,
        batch.map(({ mark }) => mark),
      ),
    runOne: ({ writer, mark }) => markRead(writer, mark),
  });
  // On Citus, the marks of a batch are on several nodes. The statement of a batch stores no results of idempotency keys.
  return (writer, mark) =>
    db.isDistributed || writer.request.key !== undefined || writer.request.entry !== undefined
      ? markRead(writer, mark)
      : move({ writer, mark });
}
