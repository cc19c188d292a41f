import { contract, limits } from "@madang/contract";
import { invalidField } from "../../errors";
import { inOrder, requireAlone } from "../../paging/id-list";
import { openPageQuery, signNextPage, takePage } from "../../paging/page-query";
import { newest, requireNamed } from "../../paging/position";
import { defineHandlers } from "../../write/handlers";
import type { Writer } from "../../write/writer";
import type { Deps } from "../deps";
import { endRolesOfDeletedUsers } from "../memberships/end-roles-store";
import { managerHandlers, memberHandlers } from "../memberships/handlers";
import { listPins } from "../messages/pin-store";
import { presentMessageRow } from "../messages/present";
import { deleteMeta, mergeMeta } from "../meta/store";
import { banHandlers } from "../moderation/handlers";
import { findOwnReactions } from "../reactions/own-store";
import { setRetention } from "../retention/store";
import { createNameSearch } from "../search/names";
import { createChannel } from "./create-store";
import { deleteChannel } from "./delete-store";
import { presentChannel, presentChannelWithMembers } from "./present";
import { reuseOrCreateChannel } from "./reuse-store";
import {
  channelMeta,
  channelNames,
  findChannels,
  freezeChannel,
  listChannels,
  listChannelsByPrefix,
  requireChannel,
  updateChannel,
} from "./store";

/** In the cursor. */
type ChannelFilters = { readonly [Name in "name_prefix" | "q"]?: string | undefined };

const scope = "channels";

export const channelHandlers = (deps: Deps) => {
  const { db, now, cursors, wake } = deps;
  const findByName = createNameSearch(channelNames(db));
  const deleteKeys = async (id: string, keys: readonly string[], writer: Writer) => {
    const channel = await deleteMeta(writer.channel(id), channelMeta, { id, keys, now: now() });
    return { status: 200, body: presentChannel(channel) } as const;
  };
  return defineHandlers(contract.channels, {
    get: async ({ params }) => ({
      status: 200,
      body: presentChannel(await requireChannel(db, params.channel_id)),
    }),
    list: async ({ query: { channel_ids: channelIds, ...query } }) => {
      if (channelIds !== undefined) {
        requireAlone("channel_ids", query);
        const listed = inOrder(channelIds, await findChannels(db, channelIds), ({ channelId }) => channelId);
        return { status: 200, body: { channels: listed.map(presentChannel) } };
      }
      if (query.q !== undefined && query.name_prefix !== undefined)
        throw invalidField("query", "q", "It cannot be sent together with name_prefix.");
      const pageQuery = openPageQuery<ChannelFilters>(cursors, scope, query, limits.channelPage.default);
      const { filters, limit, after } = pageQuery;
      const { name_prefix: prefix, q } = filters;
      if (q !== undefined) {
        const { items, next } = await findByName({ q, limit, after: requireNamed(after) });
        return {
          status: 200,
          body: {
            channels: items.map(presentChannel),
            ...(next && { next: signNextPage(cursors, scope, pageQuery, next, next.name) }),
          },
        };
      }
      const found = await (prefix === undefined
        ? listChannels(db, after ?? newest, limit + 1)
        : listChannelsByPrefix(db, { prefix, after: requireNamed(after), count: limit + 1 }));
      const { items, last } = takePage(found, limit);
      return {
        status: 200,
        body: {
          channels: items.map(presentChannel),
          ...(last && {
            next: signNextPage(cursors, scope, pageQuery, last, prefix && last.name),
          }),
        },
      };
    },
    freeze: async ({ params, body, writer }) => ({
      status: 200,
      body: presentChannel(await freezeChannel(writer, params.channel_id, body.freeze, now())),
    }),
    setRetention: async ({ params, body, writer }) => {
      const channel = await setRetention(writer, params.channel_id, body, now());
      wake("erasing messages by age");
      // An erasure can wait for the end of a hold.
      wake("erasing users");
      return { status: 200, body: presentChannel(channel) };
    },
    create: async ({ body, writer, res }) => {
      const channel = {
        channelId: body.channel_id,
        name: body.name,
        profileUrl: body.profile_url,
        meta: body.meta ?? {},
        members: [...new Set(body.members)],
      };
      const isPair = body.reuse === true && channel.members.length === 2;
      const created = await (isPair ? reuseOrCreateChannel : createChannel)(writer, channel, now());
      res.setHeader("X-Channel-Created", String(created.isCreated));
      return { status: 201, body: presentChannelWithMembers(created) };
    },
    update: async ({ params, body, writer }) => {
      const change = { name: body.name, profileUrl: body.profile_url };
      return {
        status: 200,
        body: presentChannel(await updateChannel(writer, params.channel_id, change, now())),
      };
    },
    delete: async ({ params, writer }) => {
      // Their `member.left` comes before `channel.deleted`.
      await endRolesOfDeletedUsers(db, params.channel_id);
      await deleteChannel(writer, params.channel_id, now());
      wake("removing deleted channels");
      return { status: 200, body: undefined };
    },
    meta: {
      merge: async ({ params: { channel_id: id }, body, writer }) => {
        const change = { id, pairs: body?.meta ?? {}, now: now() };
        return {
          status: 200,
          body: presentChannel(await mergeMeta(writer.channel(id), channelMeta, change)),
        };
      },
      delete: async ({ params, body, writer }) => deleteKeys(params.channel_id, body.keys, writer),
      deleteKey: async ({ params, writer }) => deleteKeys(params.channel_id, [params.key], writer),
    },
    members: memberHandlers(deps),
    managers: managerHandlers(deps),
    bans: banHandlers(deps),
    pins: async ({ params: { channel_id: channelId }, query }) => {
      const messages = await listPins(db, channelId);
      const isOwn = await findOwnReactions(db, channelId, query.as_user, messages);
      return {
        status: 200,
        body: { messages: messages.map((message) => presentMessageRow(channelId, message, isOwn)) },
      };
    },
  });
};
