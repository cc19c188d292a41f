import { contract, limits, ownBlockRule } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { presentUserTo } from "../../chat/users/present";
import { requireUserPk } from "../../chat/users/store";
import { invalidField } from "../../errors/service-error";
import { bindTo, type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { addBlock, type BlockRow, listBlocks, removeBlock } from "./store";

export const blockHandlers = ({ cursors, now }: ChatDeps) =>
  defineHandlers(contract.users.blocks, {
    list: async ({ params: { user_id: userId }, query, acting, db }) => {
      const scope = `users.blocks.list ${userId}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.blockPage, acting);
      const { limit, after: before = newest } = pageQuery;
      const userPk = await requireUserPk(db, userId);
      const owned = bindTo(pageQuery, "owner", userPk);
      const found = await listBlocks(db, userPk, { before, count: limit + 1 });
      const positionOf = ({ blockedAt, blockedPk }: BlockRow) => ({ createdAt: blockedAt, pk: blockedPk });
      const { items, ...next } = signPage(cursors, scope, owned, found, positionOf);
      const blocks = items.map((block) => ({
        user: presentUserTo(acting, block),
        created_at: block.blockedAt,
      }));
      return { status: 200, body: { blocks, ...next } };
    },
    add: async ({ params: { user_id: userId, blocked_user_id: blockedUserId }, writer, db }) => {
      if (userId === blockedUserId) throw invalidField("path", "blocked_user_id", ownBlockRule);
      await addBlock(db, writer, { userId, blockedUserId }, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params: { user_id: userId, blocked_user_id: blockedUserId }, writer }) => {
      await removeBlock(writer, { userId, blockedUserId });
      return { status: 200, body: undefined };
    },
  });
