import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import { takePage } from "../../paging/page";
import { openPageQuery, signNextPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import type { Deps } from "../deps";
import { endRolesOfDeletedUsers } from "../memberships/end-roles-store";
import { managerHandlers, memberHandlers } from "../memberships/handlers";
import { createChannel } from "./create-store";
import { deleteChannel } from "./delete-store";
import { presentChannel, presentChannelWithMembers } from "./present";
import { reuseOrCreateChannel } from "./reuse-store";
import { freezeChannel, listChannels, requireChannel, updateChannel } from "./store";

const scope = "channels";

export const channelHandlers = (deps: Deps) => {
  const { db, now, cursors, pages, onChannelDeleted } = deps;
  return initServer().router(contract.channels, {
    get: async ({ params }) => ({
      status: 200,
      body: presentChannel(await requireChannel(db, params.channel_id)),
    }),
    list: async ({ query }) => {
      const pageQuery = openPageQuery<Record<never, never>>(
        cursors,
        scope,
        query,
        limits.channelPage.default,
      );
      const { limit, after = newest } = pageQuery;
      const { found, seen } = await pages.read(pageQuery, (reader) => listChannels(reader, after, limit + 1));
      const { items, last } = takePage(found, limit);
      return {
        status: 200,
        body: {
          channels: items.map(presentChannel),
          ...(last && { next: signNextPage(cursors, scope, { ...pageQuery, seen }, last) }),
        },
      };
    },
    freeze: async ({ params, body, res }) => ({
      status: 200,
      body: presentChannel(await freezeChannel(once(db, res), params.channel_id, body.freeze, now())),
    }),
    create: async ({ body, res }) => {
      const channel = {
        channelId: body.channel_id,
        name: body.name,
        profileUrl: body.profile_url,
        meta: body.meta ?? {},
        members: [...new Set(body.members)],
      };
      const isPair = body.reuse === true && channel.members.length === 2;
      const created = await (isPair ? reuseOrCreateChannel : createChannel)(once(db, res), channel, now());
      res.setHeader("X-Channel-Created", String(created.isCreated));
      return { status: 201, body: presentChannelWithMembers(created) };
    },
    update: async ({ params, body, res }) => {
      const change = { name: body.name, profileUrl: body.profile_url };
      return {
        status: 200,
        body: presentChannel(await updateChannel(once(db, res), params.channel_id, change, now())),
      };
    },
    delete: async ({ params, res }) => {
      // Their `member.left` comes before `channel.deleted`.
      await endRolesOfDeletedUsers(db, params.channel_id);
      await deleteChannel(once(db, res), params.channel_id, now());
      onChannelDeleted();
      return { status: 200, body: undefined };
    },
    members: memberHandlers(deps),
    managers: managerHandlers(deps),
  });
};
