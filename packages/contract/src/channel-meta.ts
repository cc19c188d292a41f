import { channel } from "./channel";
import { bodyErrors, problems } from "./errors";
import { lunch } from "./examples/data";
import { channelPathParams } from "./fields";
import { changeHeaders } from "./idempotency";
import { metaKey } from "./meta";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { metaChange, metaDeletion } from "./user-meta";

export const channelMeta = c.router({
  merge: {
    method: "PUT",
    path: "/group/channels/:channel_id/meta",
    summary: "Add or change metadata of a channel",
    description:
      "Merges the pairs into the channel's metadata, all or nothing: the result may hold at most 10 pairs.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: metaChange.optional(),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found", "meta_limit_exceeded"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: true,
      examples: {
        requests: example("One pair", { meta: { team: "blue" } }),
        responses: example("The updated channel", lunch),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/group/channels/:channel_id/meta",
    summary: "Delete metadata of a channel",
    description: "Deletes the named keys. Keys that do not exist are ignored.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: metaDeletion,
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: true,
      examples: {
        requests: example("Two keys; the second does not exist", { keys: ["team", "floor"] }),
        responses: example("The updated channel", { ...lunch, meta: {} }),
      },
    }),
  },
  deleteKey: {
    method: "DELETE",
    path: "/group/channels/:channel_id/meta/:key",
    summary: "Delete one metadata key of a channel, without a body",
    description:
      "Does the same as deleting metadata with one key, for clients behind a proxy that drops the body of a DELETE. A key that does not exist is ignored.",
    pathParams: channelPathParams.extend({ key: metaKey }),
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: true,
      variantOf: "channels.meta.delete",
      examples: { responses: example("The updated channel", { ...lunch, meta: {} }) },
    }),
  },
});
