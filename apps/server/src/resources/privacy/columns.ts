import { type Field, type Row, selectList } from "../../db/row";

const erasureFields = [
  "erasureId",
  "userId",
  "messages",
  "status",
  "erasedMessages",
  "erasedMemberships",
  "erasedChannels",
  "heldMessages",
  "createdAt",
  "completedAt",
] as const satisfies readonly Field<"Erasure">[];
export type ErasureRow = Row<"Erasure", (typeof erasureFields)[number]>;
export const erasureColumns = selectList(erasureFields);
