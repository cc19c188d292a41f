import { type Field, type Row, selectList } from "../../db/row";

export const erasureSelection = {
  erasureId: true,
  userId: true,
  messages: true,
  status: true,
  erasedMessages: true,
  erasedMemberships: true,
  erasedChannels: true,
  heldMessages: true,
  createdAt: true,
  completedAt: true,
} as const satisfies { readonly [Name in Field<"Erasure">]?: true };
export type ErasureRow = Row<"Erasure", keyof typeof erasureSelection>;
export const erasureColumns = selectList(Object.keys(erasureSelection));
