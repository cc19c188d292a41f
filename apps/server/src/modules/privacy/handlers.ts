import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { exportPerson } from "./export";
import { presentErasure } from "./present";
import { beginErasure, listErasures, requireErasure } from "./store";

const scope = "privacy.list";

export const privacyHandlers = ({ now, cursors, wake, attachments }: ChatDeps) =>
  defineHandlers(contract.privacy, {
    erase: async ({ body, writer }) => {
      const erasure = await beginErasure(writer, { userId: body.user_id, messages: body.messages }, now());
      wake("erasing users");
      return { status: 202, body: presentErasure(erasure) };
    },
    list: async ({ query, db }) => {
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.erasurePage);
      const { limit, after = newest } = pageQuery;
      const found = await listErasures(db, { before: after, count: limit + 1 });
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, (erasure) => erasure);
      return { status: 200, body: { erasures: items.map(presentErasure), ...next } };
    },
    get: async ({ params, db }) => ({
      status: 200,
      body: presentErasure(await requireErasure(db, params.erasure_id)),
    }),
    export: async ({ params, query, req, db }) => ({
      status: 200,
      body: await exportPerson({ db, cursors }, params.user_id, query, attachments.addressesFor(req)),
    }),
  });
