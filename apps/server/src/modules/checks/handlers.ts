import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { presentChannelTo } from "../../chat/channels/present";
import type { ChatDeps } from "../../chat/deps";
import { invalidField } from "../../errors/service-error";
import type { FilterSet } from "./filter-set";
import { createFilter, deleteFilter, hitsOf, listFilters, requireFilter, updateFilter } from "./filter-store";
import { searchPattern } from "./pattern";
import { presentFilter } from "./present";
import { mask, prepareText, type Search } from "./search";
import { setSlowMode } from "./slow-mode-store";
import { searchWords } from "./words";

export interface CheckDeps extends ChatDeps {
  readonly filters: Pick<FilterSet, "forget">;
}

export const slowModeHandlers = ({ now }: CheckDeps) =>
  defineHandlers(contract.channels, {
    setSlowMode: async ({ params, body, acting, writer }) => ({
      status: 200,
      body: presentChannelTo(acting, await setSlowMode(writer, params.channel_id, body.seconds, now())),
    }),
  });

export const filterHandlers = ({ db, now, filters }: CheckDeps) =>
  defineHandlers(contract.filters, {
    create: async ({ body, writer }) => {
      requireSearch(body);
      const { label, words = [], pattern, channel_ids: channelIds = [], action } = body;
      const filter = {
        label,
        words: [...new Set(words)],
        pattern,
        channelIds: [...new Set(channelIds)],
        action,
      };
      const created = await createFilter(writer, filter, now());
      filters.forget();
      return { status: 201, body: presentFilter({ ...created, hitCount: 0 }) };
    },
    list: async () => ({
      status: 200,
      body: { filters: (await listFilters(db)).map(presentFilter) },
    }),
    try: async ({ body }) => {
      const search = requireSearch(body);
      const matches = search?.finds(prepareText(body.text)) === true;
      const ranges = matches ? await search.locate(prepareText(body.text)) : [];
      return { status: 200, body: { matches, masked: mask(body.text, ranges) } };
    },
    get: async ({ params }) => {
      const { words, ...filter } = await requireFilter(db, params.filter_id);
      const hasWords = filter.pattern === null;
      return { status: 200, body: { ...presentFilter(filter), ...(hasWords && { words: [...words] }) } };
    },
    update: async ({ params: { filter_id: filterId }, body, writer }) => {
      requireSearch(body);
      const { label, words, pattern, channel_ids: channelIds, action } = body;
      const change = {
        label,
        words: words && [...new Set(words)],
        pattern,
        channelIds: channelIds === null ? [] : channelIds && [...new Set(channelIds)],
        action,
      };
      const updated = await updateFilter(writer, filterId, change, now());
      filters.forget();
      return { status: 200, body: presentFilter({ ...updated, hitCount: await hitsOf(db, filterId) }) };
    },
    delete: async ({ params, writer }) => {
      await deleteFilter(writer, params.filter_id);
      filters.forget();
      return { status: 200, body: undefined };
    },
  });

/** Rejects words and patterns with which no text can be compared. Undefined if the request has neither. */
function requireSearch({
  words,
  pattern,
}: {
  readonly words?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
}): Search | undefined {
  if (pattern !== undefined) {
    const search = searchPattern(pattern);
    if (typeof search === "string") throw invalidField("body", "pattern", search);
    return search;
  }
  if (words === undefined) return undefined;
  const search = searchWords(words);
  if (search !== undefined) return search;
  const index = words.findIndex((word) => searchWords([word]) === undefined);
  throw invalidField("body", `words.${index}`, "Must have a visible character besides *.");
}
