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

/** The columns of the rows `live`, which are messages with the ids of their channel and sender, for their events. */
export const ofLiveMessage = {
  channelPk: "channel_pk",
  channelId: "channel_id",
  userPk: "sender_pk",
  userId: "user_id",
  messageCreatedAt: "created_at",
  messagePk: "pk",
} as const;
