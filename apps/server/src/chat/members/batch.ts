import type { Queryable } from "../../db/db";
import { batchBySchema, createBatcher } from "../../write/batcher";
import { idempotencyNames } from "../../write/request";
import type { Writer } from "../../write/writer";
import { type Marking, markManyRead, markRead, type ReadMark, type ReadState } from "./read-mark-store";

/** Moves read marks. Marks that arrive while a statement runs share the next one. */
export function batchReadMarks(db: Queryable): (writer: Writer, mark: ReadMark) => Promise<ReadState> {
  const nameOf = ({ mark }: Marking) => `${mark.channelId} ${mark.userId}`;
  const move = batchBySchema(db, (schema) =>
    createBatcher<Marking, ReadState>({
      groupOf: nameOf,
      distinctOf: (marking) => [nameOf(marking), ...idempotencyNames(marking.request)],
      maxRunning: 2,
      runMany: (batch) => markManyRead(schema, batch),
      runOne: (marking) => markRead(schema, marking),
    }),
  );
  return ({ request }, mark) => move(mark.channelId, { mark, request });
}
