import * as z from "zod";
import { bodyErrors, commonErrors, problems, unkeyedBodyErrors } from "../../errors/errors";
import { filter as filterExample, newFilter } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { filter, filterId, filterInput, filterWithWords } from "../../resources/filter";
import { content } from "../../resources/message";
import { c, nothing } from "../../router";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const pathParams = z.object({ filter_id: filterId });

const oneOfBoth = "Must have either words or a pattern.";

const searched = {
  words: filterInput.words.optional(),
  pattern: filterInput.pattern.optional(),
};

export const filters = c.router({
  create: {
    method: "POST",
    path: "/filters",
    summary: "Create a filter",
    description: `From now on, texts of messages are compared with it, on every process within a second: sends, edits and appends, with keys and with tokens, but not system messages and imports. It has either \`words\` or a \`pattern\`. Names of files and \`parts\` are not read. At most ${limits.filters} filters can exist.`,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        label: filterInput.label,
        ...searched,
        channel_ids: filterInput.channel_ids.optional(),
        action: filterInput.action,
      })
      .refine(({ words, pattern }) => (words === undefined) !== (pattern === undefined), oneOfBoth)
      .meta({ id: "NewFilter", description: "A filter to create." }),
    responses: { 201: filter, ...problems([...bodyErrors, "filter_limit_exceeded"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      maxBodyBytes: limits.importBodyBytes,
      examples: {
        requests: {
          words: { summary: "Words", value: newFilter },
          pattern: {
            summary: "A pattern, in one channel",
            value: {
              label: "Phone numbers",
              pattern: "\\b\\d{3}-\\d{4}-\\d{4}\\b",
              channel_ids: ["room_1"],
              action: "mask",
            },
          },
        },
        responses: example("The new filter", { ...filterExample, hit_count: 0 }),
      },
    }),
  },
  list: {
    method: "GET",
    path: "/filters",
    summary: "List the filters",
    description: "All filters by creation time, oldest first, without their words.",
    query: nothing,
    responses: {
      200: z
        .object({ filters: z.array(filter).meta({ description: "The filters, oldest first." }) })
        .meta({ id: "FilterList", description: "All filters." }),
      ...problems(commonErrors),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: { responses: example("One filter", { filters: [filterExample] }) },
    }),
  },
  try: {
    method: "POST",
    path: "/filters/try",
    summary: "Try a filter",
    description:
      "What words or a pattern would find in a text. No message is compared with them. Nothing is stored, so an `Idempotency-Key` has no effect.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        ...searched,
        text: content.meta({
          description: "The text to search, at most 65,536 characters.",
          examples: ["Buy  NOW, only today."],
        }),
      })
      .refine(({ words, pattern }) => (words === undefined) !== (pattern === undefined), oneOfBoth)
      .meta({ id: "FilterTrial", description: "What to search, and where." }),
    responses: {
      200: z
        .object({
          matches: z.boolean().meta({ description: "Whether something was found." }),
          masked: z.string().meta({
            description: "The text with `*` in place of what was found.",
            examples: ["********, only today."],
          }),
        })
        .meta({ id: "FilterTrialResult", description: "What a filter would do." }),
      ...problems(unkeyedBodyErrors),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      auditedFrom: "never",
      isRepeatable: true,
      maxBodyBytes: limits.importBodyBytes,
      examples: {
        requests: example("Two words", { words: newFilter.words, text: "Buy  NOW, only today." }),
        responses: example("One of them was found", { matches: true, masked: "********, only today." }),
      },
    }),
  },
  get: {
    method: "GET",
    path: "/filters/:filter_id",
    summary: "Get a filter",
    description: "The filter, with its words.",
    pathParams,
    query: nothing,
    responses: { 200: filterWithWords, ...problems([...commonErrors, "filter_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        responses: example("The filter", { ...filterExample, words: newFilter.words }),
      },
    }),
  },
  update: {
    method: "PUT",
    path: "/filters/:filter_id",
    summary: "Update a filter",
    description:
      "Changes the fields that are sent, for messages from now on. New `words` replace all old ones, and a pattern; a new `pattern` replaces words.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        label: filterInput.label.optional(),
        ...searched,
        channel_ids: filterInput.channel_ids
          .nullable()
          .meta({ description: "The channels in which it applies from now on; `null`: all channels." })
          .optional(),
        action: filterInput.action.optional(),
      })
      .refine(
        (change) => Object.values(change).some((value) => value !== undefined),
        "Must have at least one field.",
      )
      .refine(({ words, pattern }) => words === undefined || pattern === undefined, oneOfBoth)
      .meta({ id: "FilterChange", description: "The new values of a filter." }),
    responses: { 200: filter, ...problems([...bodyErrors, "filter_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      maxBodyBytes: limits.importBodyBytes,
      examples: {
        requests: example("Words are masked", { action: "mask" }),
        responses: example("The updated filter", { ...filterExample, action: "mask" }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/filters/:filter_id",
    summary: "Delete a filter",
    description: "Messages are no longer compared with it, on every process within a second.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "filter_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
    }),
  },
});
