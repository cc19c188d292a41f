import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { Addressed } from "../../chat/attachments";
import { requireChannelPk } from "../../chat/channels/store";
import type { ChatDeps } from "../../chat/deps";
import { presentMessageRow } from "../../chat/messages/present";
import { messageBytes } from "../../chat/messages/store";
import { findUserPosition, requireUserPk } from "../../chat/users/store";
import { invalidField } from "../../errors/service-error";
import { bindTo, openPageQuery, signNextPage, takePage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { runSteps } from "../../turns/in-slices";
import { shareReads } from "../../turns/share-reads";
import { findMatches, type Source } from "./find";
import { createMatcher, termsOf } from "./match";
import { probesOf } from "./signature";
import {
  readFound,
  searchChannel,
  searchEverything,
  searchedTextOf,
  searchSender,
  searchUser,
  type Wanted,
} from "./store";

type Filters = { readonly [Name in "q" | "user_id" | "since" | "until"]?: string | undefined };

type QueryOfPage = Filters & { limit?: number | undefined; next?: string | undefined };

export const searchHandlers = (deps: ChatDeps) => {
  const { cursors, attachments, resources } = deps;
  const share = shareReads(resources.searches);

  async function searchPage(
    scope: string,
    query: QueryOfPage,
    { acting, req }: { acting: ActingUser | undefined; req: Addressed },
    resolveScope: (filters: Filters) => Promise<{ owner?: number; createSource(wanted: Wanted): Source }>,
  ) {
    const pageQuery = openPageQuery<Filters>(cursors, scope, query, limits.searchPage, acting);
    const { filters, limit } = pageQuery;
    const { q = "", user_id: userId, until } = filters;
    const end = until === undefined ? newest : { createdAt: Number(until), pk: 0 };
    const before = pageQuery.after ?? end;
    const terms = termsOf(q);
    const { owner, createSource } = await resolveScope(filters);
    const senderPk = userId === undefined ? undefined : await requireSender(userId, acting);
    const source = createSource({ probes: probesOf(terms, senderPk), senderPk });
    const owned = bindTo(pageQuery, "owner", owner);
    // A cursor can be read. That of a user must not say whether the sender exists.
    const bound = acting === undefined ? bindTo(owned, "sender", senderPk) : owned;
    const matches = createMatcher(terms);
    const page = await share(
      JSON.stringify([scope, owner, senderPk, filters, limit, before, acting?.userPk]),
      async () => {
        // Without terms every message matches, and one more than the page is enough.
        const firstSize = terms.length === 0 ? limit + 1 : undefined;
        const { found, next } = await findMatches({ source, matches, limit, before, firstSize });
        const rows = await readFound(deps.db, found, acting);
        const { items, last } = takePage(rows, limit, ({ row }) => messageBytes(row));
        // A message can have been edited between the comparison and this read.
        const messages: typeof rows = [];
        function* compare(): Generator<undefined, void> {
          for (const one of items) {
            yield;
            if (yield* matches(searchedTextOf(one.row))) messages.push(one);
          }
        }
        await runSteps(compare());
        return { messages, next: last?.candidate ?? next };
      },
    );
    const urlOf = attachments.addressesFor(req);
    return {
      status: 200,
      body: {
        messages: page.messages.map(({ candidate, row }) =>
          presentMessageRow(candidate.channelId, row, { urlOf, viewer: acting }),
        ),
        ...(page.next && { next: signNextPage(cursors, scope, bound, page.next) }),
      },
    } as const;
  }

  /** A user does not learn which other users exist: one that does not has sent nothing. */
  async function requireSender(userId: string, acting: ActingUser | undefined): Promise<number> {
    if (acting === undefined) return requireUserPk(deps.db, userId);
    return (await findUserPosition(deps.db, userId))?.pk ?? nobodyPk;
  }

  return {
    users: defineHandlers(contract.users, {
      messages: async ({ params: { user_id: userId }, query: { since, until, ...query }, ...call }) => {
        if (since !== undefined && until !== undefined && since >= until)
          throw invalidField("query", "until", "Must be later than since.");
        const sent = { ...query, since: since?.toString(), until: until?.toString() };
        return searchPage(`users.messages ${userId}`, sent, call, async (filters) => {
          const userPk = await requireUserPk(deps.db, userId);
          const from = { createdAt: Number(filters.since ?? 0), pk: 0 };
          return { owner: userPk, createSource: () => searchSender(deps.db, userPk, from) };
        });
      },
      searchMessages: ({ params: { user_id: userId }, query, ...call }) =>
        searchPage(`users.searchMessages ${userId}`, query, call, async () => {
          const userPk = await requireUserPk(deps.db, userId);
          return { owner: userPk, createSource: (wanted) => searchUser(deps.db, userPk, wanted) };
        }),
    }),
    messages: defineHandlers(contract.messages, {
      search: ({ params: { channel_id: channelId }, query, ...call }) =>
        searchPage(`messages.search ${channelId}`, query, call, async () => {
          const channelPk = await requireChannelPk(call.db, channelId, call.acting);
          const channel = { channelId, channelPk };
          return { owner: channelPk, createSource: (wanted) => searchChannel(deps.db, channel, wanted) };
        }),
      searchAll: ({ query, ...call }) =>
        searchPage("messages.searchAll", query, call, async () => ({
          createSource: (wanted) => searchEverything(deps.db, wanted),
        })),
    }),
  };
};

/** A key that no user has. */
const nobodyPk = -1;
