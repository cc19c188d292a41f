import type { Queryable } from "../../db/db";
import { batchWrites } from "../../write/batch-writes";
import type { Writer } from "../../write/writer";
import { type Marking, markManyRead, markRead, type ReadMark, type ReadState } from "./read-mark-store";

/** Moves read marks in batches. */
export function batchReadMarks(db: Queryable): (writer: Writer, mark: ReadMark) => Promise<ReadState> {
  const nameOf = ({ mark }: Marking) => `${mark.channelId} ${mark.userId}`;
  const move = batchWrites<Marking, ReadState>(db, {
    channelOf: ({ mark }) => mark.channelId,
    groupOf: nameOf,
    namesOf: (marking) => [nameOf(marking)],
    runMany: markManyRead,
    runOne: ({ writer, mark }) => markRead(writer, mark),
  });
  return (writer, mark) => move({ writer, mark });
}
