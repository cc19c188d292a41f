import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { invalidField } from "../../errors/service-error";
import { inOrder, requireAlone } from "../../paging/id-list";
import type { Writer } from "../../write/writer";
import type { ChatDeps } from "../deps";
import { createNamedList } from "../names/named-list";
import { deleteMeta, mergeMeta, updateResource } from "../resources/store";
import { createChannel } from "./create-store";
import { deleteChannel } from "./delete-store";
import { endRolesOfDeletedUsers } from "./end-roles-store";
import { presentChannel, presentChannelTo, presentChannelWithMembers } from "./present";
import { reuseOrCreateChannel } from "./reuse-store";
import { channelLists, channelResource, findChannels, freezeChannel, requireChannel } from "./store";

export const channelHandlers = (deps: ChatDeps) => {
  const { now, cursors, wake, resources } = deps;
  const list = createNamedList({
    cursors,
    scope: "channels",
    pageSize: limits.channelPage,
    source: channelLists(deps.db),
    names: resources.names,
  });
  const deleteKeys = async (id: string, keys: readonly string[], writer: Writer) => {
    const channel = await deleteMeta(writer, channelResource, { id, keys, now: now() });
    return { status: 200, body: presentChannel(channel) } as const;
  };
  return defineHandlers(contract.channels, {
    get: async ({ params, acting, db }) => ({
      status: 200,
      body: presentChannelTo(acting, await requireChannel(db, params.channel_id, acting)),
    }),
    list: async ({ query: { channel_ids: channelIds, ...query }, db }) => {
      if (channelIds !== undefined) {
        requireAlone("channel_ids", query);
        const listed = inOrder(channelIds, await findChannels(db, channelIds), ({ channelId }) => channelId);
        return { status: 200, body: { channels: listed.map(presentChannel) } };
      }
      if (query.q !== undefined && query.name_prefix !== undefined)
        throw invalidField("query", "q", "It cannot be sent together with name_prefix.");
      const { items, next } = await list(query);
      return { status: 200, body: { channels: items.map(presentChannel), ...(next && { next }) } };
    },
    freeze: async ({ params, body, writer }) => ({
      status: 200,
      body: presentChannel(await freezeChannel(writer, params.channel_id, body.freeze, now())),
    }),
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
    update: async ({ params: { channel_id: id }, body, writer }) => {
      const change = { id, name: body.name, profileUrl: body.profile_url, now: now() };
      return {
        status: 200,
        body: presentChannel(await updateResource(writer, channelResource, change)),
      };
    },
    delete: async ({ params, writer, db }) => {
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
          body: presentChannel(await mergeMeta(writer, channelResource, change)),
        };
      },
      delete: async ({ params, body, writer }) => deleteKeys(params.channel_id, body.keys, writer),
      deleteKey: async ({ params, writer }) => deleteKeys(params.channel_id, [params.key], writer),
    },
  });
};
