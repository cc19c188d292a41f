import * as z from "zod";
import { commonErrors, memberErrors, problems } from "../../errors/errors";
import { text as textExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { message } from "../../resources/message";
import { c } from "../../router";
import {
  channelPathParams,
  cursor,
  nextCursor,
  pageSize,
  queryTime,
  userId,
  userPathParams,
} from "../../rules/fields";
import { limits } from "../../rules/limits";
import { text } from "../../rules/text";

const messageHits = z
  .object({
    messages: z.array(message).meta({ description: "The messages, newest first. There may be none." }),
    next: nextCursor,
  })
  .meta({
    id: "MessageHits",
    description:
      "A page of messages that were found. It may have fewer than `limit`, or none, and still a `next`: the search then goes on.",
  });

const { maxTerms, query: queryLength } = limits.search;

const q = text(queryLength)
  .refine((query) => {
    const visible = query.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
    const terms = visible.split(/\p{White_Space}+/u).filter((term) => term !== "");
    return terms.length >= 1 && terms.length <= maxTerms;
  }, `Must have 1 to ${maxTerms} terms, separated by white space.`)
  .meta({
    description: `1 to ${maxTerms} terms, separated by white space: 1 to ${queryLength.maxLength} characters. A message is found if its content or the name of its file contains every term, in any case and anywhere in a word.`,
    examples: ["noon"],
  });

const sender = userId.meta({ description: "Only messages of this sender." });
const limit = pageSize(limits.searchPage, "The maximum number of messages per page");
const paging = { limit: limit.optional(), next: cursor.optional() };
// With `next`, only `next` is sent.
const required = <Query extends { q?: string | undefined; next?: string | undefined }>(query: Query) =>
  query.q !== undefined || query.next !== undefined;
const missing = { path: ["q"], message: "Required unless next is sent." };

const found = example("One message", { messages: [textExample] });
const examples = { query: { q: "noon" }, responses: found };
const sdk = { requires: "query", query: "MessageQuery" } as const;
const how =
  "A message is found as soon as its send was acknowledged, an edited one by its new text only. Text is compared after NFKC and full case folding, without invisible characters; letters of Korean that stand alone, as in `ㅠㅠ`, join no others. A request reads for a limited time: a page may have fewer messages than `limit`, or none, and still a `next`. Newest first.";

export const search = c.router({
  inChannel: {
    method: "GET",
    path: "/group/channels/:channel_id/messages/search",
    summary: "Search the messages of a channel",
    description: how,
    pathParams: channelPathParams,
    query: z
      .strictObject({ q: q.optional(), user_id: sender.optional(), ...paging })
      .refine(required, missing),
    responses: {
      200: messageHits,
      ...problems([...memberErrors, "invalid_cursor", "channel_not_found", "user_not_found"]),
    },
    metadata: metadata({ access: "any_key", user: "member", hasEmptyPages: true, examples, sdk }),
  },
  ofUser: {
    method: "GET",
    path: "/users/:user_id/messages/search",
    summary: "Search the messages of all channels of a user",
    description: `Searches every channel in which the user is a participant. ${how}`,
    pathParams: userPathParams,
    query: z.strictObject({ q: q.optional(), ...paging }).refine(required, missing),
    responses: { 200: messageHits, ...problems([...commonErrors, "invalid_cursor", "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "self",
      hasEmptyPages: true,
      examples,
      sdk: { ...sdk, query: "UserMessageQuery" },
    }),
  },
  all: {
    method: "GET",
    path: "/messages/search",
    summary: "Search the messages of all channels",
    description: `For operators: the master key, or a key with the scope \`messages.searchAll\`. ${how}`,
    query: z
      .strictObject({ q: q.optional(), user_id: sender.optional(), ...paging })
      .refine(required, missing),
    responses: { 200: messageHits, ...problems([...commonErrors, "invalid_cursor", "user_not_found"]) },
    metadata: metadata({ access: "named_scope", user: "no", hasEmptyPages: true, examples, sdk }),
  },
  fromUser: {
    method: "GET",
    path: "/users/:user_id/messages",
    summary: "List the messages of a user",
    description:
      "What a user wrote in all channels, newest first. For operators: the master key, or a key with the scope `users.messages`. Messages of deleted channels are left out. A request reads for a limited time: a page may have fewer messages than `limit`, or none, and still a `next`.",
    pathParams: userPathParams,
    query: z.strictObject({
      since: queryTime("Only messages at or after this time, in milliseconds.").optional(),
      until: queryTime("Only messages before this time, in milliseconds.").optional(),
      ...paging,
    }),
    responses: { 200: messageHits, ...problems([...commonErrors, "invalid_cursor", "user_not_found"]) },
    metadata: metadata({
      sdk: {
        query: "UserMessageRange",
        example:
          'for await (const message of chat.users.messages("kim_01")) console.log(message.channel_id, message.created_at);',
      },
      access: "named_scope",
      user: "no",
      hasEmptyPages: true,
      examples: { query: { limit: "30" }, responses: found },
    }),
  },
});
