import { auditedOperations, contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { invalidField } from "../../errors/service-error";
import { openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { presentEntry } from "./present";
import { type EntryFilters, type EntryRow, listEntries } from "./store";

const scope = "audit";

type Filters = EntryFilters & { readonly [Name in "from" | "to"]?: string | undefined };

export const auditHandlers = ({ cursors }: ChatDeps) =>
  defineHandlers(contract.audit, {
    list: async ({ query: { from, to, ...query }, db }) => {
      if (query.operation !== undefined && !auditedOperations.includes(query.operation))
        throw invalidField("query", "operation", "There is no such operation.");
      if (from !== undefined && to !== undefined && from >= to)
        throw invalidField("query", "to", "Must be later than from.");
      const sent = { ...query, from: from?.toString(), to: to?.toString() };
      const pageQuery = openPageQuery<Filters>(cursors, scope, sent, limits.auditPage);
      const { filters, limit, after } = pageQuery;
      const end = filters.to === undefined ? newest : { createdAt: Number(filters.to), pk: 0 };
      const found = await listEntries(db, {
        filters,
        from: Number(filters.from ?? 0),
        before: after ?? end,
        count: limit + 1,
      });
      const positionOf = ({ at, number }: EntryRow) => ({ createdAt: at, pk: number });
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, positionOf);
      return { status: 200, body: { entries: items.map(presentEntry), ...next } };
    },
  });
