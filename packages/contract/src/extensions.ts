import * as z from "zod";
import { extension, extensionOnce, masterKeyExtension } from "./access";
import { channel, channelPathParams } from "./channels";
import { anyBody, anyOperation, refusals } from "./errors";
import { message } from "./exports";
import { cursor, nextCursor, pageSize, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaKey } from "./meta";
import { c, nothing } from "./router";
import { text } from "./text";
import { user } from "./users";

export const channelPage = z.object({ channels: z.array(channel), next: nextCursor }).meta({
  id: "ChannelPage",
  description: "A page of channels. `next` is there when a further page exists.",
});

const sender = {
  user_id: userId.meta({ description: "The sender: a participant or a manager of the channel." }),
};

export const textMessageInput = z
  .strictObject({
    ...sender,
    type: z.literal("text"),
    content: text(limits.content).meta({
      description: "1 to 8,192 characters (Unicode code points).",
      examples: ["See you at noon."],
    }),
    meta: metaInput.optional(),
  })
  .meta({ id: "TextMessageInput", description: "A message of text, as it is sent." });

export const fileMessageInput = z
  .strictObject({
    ...sender,
    type: z.literal("file"),
    file: z.strictObject({
      type: text(limits.fileType).meta({ description: "The MIME type.", examples: ["image/png"] }),
      name: text(limits.fileName).meta({ description: "1 to 255 characters.", examples: ["menu.png"] }),
      url: text(limits.fileUrl).meta({
        description: "1 to 2,048 characters.",
        examples: ["https://example.com/menu.png"],
      }),
      size: z
        .int("Must be a whole number of bytes.")
        .min(0, "Must not be negative.")
        .meta({ description: "The size in bytes.", examples: [48_213] }),
    }),
    meta: metaInput.optional(),
  })
  .meta({ id: "FileMessageInput", description: "A message that is a file, as it is sent." });

/** The operations that the interface document does not show, and without which its own rules cannot be used. */
export const extensions = c.router({
  getChannel: {
    method: "GET",
    path: "/group/channels/:channel_id",
    summary: "Get a group channel",
    description: "The channel without its participants: they have a list of their own.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: channel, ...refusals([...anyOperation, "channel_not_found"]) },
    metadata: extension,
  },
  listChannels: {
    method: "GET",
    path: "/group/channels",
    summary: "List group channels",
    description: "By the time of creation, newest first.",
    query: z.strictObject({ limit: pageSize(limits.channelPage).optional(), next: cursor.optional() }),
    responses: { 200: channelPage, ...refusals([...anyOperation, "invalid_cursor"]) },
    metadata: extension,
  },
  freezeChannel: {
    method: "PUT",
    path: "/group/channels/:channel_id/freeze",
    summary: "Freeze or unfreeze a channel",
    description: "In a frozen channel only managers may send.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ freeze: z.boolean().meta({ description: "`true` freezes, `false` unfreezes." }) }),
    responses: { 200: channel, ...refusals([...anyBody, "channel_not_found"]) },
    metadata: extension,
  },
  sendMessage: {
    method: "POST",
    path: "/group/channels/:channel_id/messages",
    summary: "Send a message",
    description:
      "The sender must be a participant or a manager; in a frozen channel a manager. A file is a reference: nothing is uploaded.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.discriminatedUnion("type", [textMessageInput, fileMessageInput], {
      error: 'Must be "text" or "file".',
    }),
    responses: {
      201: message,
      ...refusals([...anyBody, "channel_not_found", "user_not_found", "channel_frozen", "not_a_participant"]),
    },
    metadata: extensionOnce,
  },
  revokeManager: {
    method: "DELETE",
    path: "/group/channels/:channel_id/managers/:user_id",
    summary: "Remove a manager, without a body",
    description:
      "The same as removing a manager with a body, for callers behind a proxy that drops the body of a DELETE.",
    pathParams: channelPathParams.extend({ user_id: userId }),
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...refusals([...anyBody, "channel_not_found", "user_not_found", "manager_not_found"]),
    },
    metadata: extension,
  },
  deleteMetaKey: {
    method: "DELETE",
    path: "/users/:user_id/meta/:key",
    summary: "Delete one metadata key of a user, without a body",
    description:
      "The same as deleting metadata with a body that names one key, for callers behind a proxy that drops the body of a DELETE. A key that is not there is passed over.",
    pathParams: z.object({ user_id: userId, key: metaKey }),
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: user, ...refusals([...anyBody, "user_not_found"]) },
    metadata: extension,
  },
  revokeKey: {
    method: "POST",
    path: "/applications/keys/revoke",
    summary: "Delete a sub key, without a DELETE",
    description:
      "The same as deleting a sub key, for callers behind a proxy that drops the body of a DELETE. A key never stands in a path: paths are written to logs.",
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ key: text().meta({ description: "The sub key to delete." }) }),
    responses: { 200: c.noBody(), ...refusals([...anyBody, "master_key_required", "key_not_found"]) },
    metadata: masterKeyExtension,
  },
});
