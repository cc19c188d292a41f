import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { type MessagePath, refOf } from "../../chat/message-id";
import { presentReactionCounts } from "../../chat/messages/present";
import { presentUserTo } from "../../chat/users/present";
import type { Db } from "../../db/db";
import { type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { oldest } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { addReaction, countReactions, listReactions, type NewReaction, removeReaction } from "./store";

export const reactionHandlers = ({ now, cursors }: ChatDeps) => {
  // The counts are not part of the stored result of the idempotency key, because deleting the message must erase them.
  const presentCounts = async (db: Db, ref: NewReaction, acting: ActingUser | undefined) => ({
    status: 200 as const,
    body: { reactions: presentReactionCounts(await countReactions(db, ref, acting)) },
  });
  return defineHandlers(contract.messages.reactions, {
    list: async ({ params, query, acting, db }) => {
      const scope = `messages.reactions.list ${params.channel_id} ${params.message_id}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.reactionPage, acting);
      const { limit, after = oldest } = pageQuery;
      const page = { after, limit: limit + 1, acting };
      const found = await listReactions(db, refOf(params), page);
      const positionOf = (row: (typeof found)[number]) => ({ createdAt: row.reactedAt, pk: row.position });
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, positionOf);
      const reactions = items.map((row) => ({
        reaction: row.reaction,
        user: presentUserTo(acting, row),
        created_at: row.reactedAt,
      }));
      return { status: 200, body: { reactions, ...next } };
    },
    add: async ({ params, acting, writer, db }) => {
      const added = reactionOf(params);
      await addReaction(writer, added, now());
      return presentCounts(db, added, acting);
    },
    remove: async ({ params, acting, writer, db }) => {
      const removed = reactionOf(params);
      await removeReaction(writer, removed);
      return presentCounts(db, removed, acting);
    },
  });
};

const reactionOf = (
  params: MessagePath & { readonly reaction: string; readonly user_id: string },
): NewReaction => ({
  ...refOf(params),
  reaction: params.reaction.normalize("NFC"),
  userId: params.user_id,
});
