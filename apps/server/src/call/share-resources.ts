import type { OperationId } from "@madang/contract";
import type { Handler } from "../http/handler";
import { localsOf } from "../http/locals";
import { reserveResponse } from "../http/response/reserve-response";
import { maxPageBytes } from "../paging/page-bytes";
import { type Resources, smallBytes } from "../turns/resources";

/** Their handlers take a turn for each read. */
const searches = ["users.messages", "users.searchMessages", "messages.search", "messages.searchAll"] as const;
const ownTurns: readonly OperationId[] = ["users.channels", ...searches];
const turns: readonly OperationId[] = [
  "exports.messages",
  "messages.list",
  "messages.replies",
  "channels.pins",
  "privacy.export",
];
const pages: ReadonlySet<string> = new Set([...ownTurns, ...turns]);
const pagesWithTurn: ReadonlySet<string> = new Set(turns);

/**
 * Wraps a handler so that it runs when there is room for its response, and one that reads a large page takes its turn. A list of events
 * reserves its page when it reads: it may wait for events for long. A stream counts what its client does not read.
 */
export function shareResources({ responses, pages: pageTurns }: Resources, handler: Handler): Handler {
  return async (call) => {
    const id = localsOf(call.res).operation?.id ?? "";
    if (id !== "events.stream")
      await reserveResponse(call.res, responses, pages.has(id) ? maxPageBytes : smallBytes);
    return pagesWithTurn.has(id) ? pageTurns.run(() => handler(call)) : handler(call);
  };
}

/** Wraps a handler so that its body counts until it has ended, even if the client leaves before. */
export function holdBody(handler: Handler): Handler {
  return async (call) => {
    const locals = localsOf(call.res);
    const { body } = locals;
    delete locals.body;
    try {
      return await handler(call);
    } finally {
      body?.release();
    }
  };
}
