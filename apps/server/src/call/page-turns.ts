import type { OperationId } from "@madang/contract";
import type { Handler } from "../http/handler";
import { callerNameOf, localsOf } from "../http/locals";
import { Turns } from "../turns/turns";

/** For reads of pages: half of the connections are for other requests, and about half of the rest for other keys. */
export function createPageTurns(maxConnections: number): Turns {
  const max = Math.max(1, Math.floor(maxConnections / 2));
  return new Turns({ max, maxOf: () => Math.ceil(max / 2), what: "reads of large pages" });
}

/** Lists of events and inboxes take turns only while they read. Searches have turns of their own. */
const largePages: ReadonlySet<string> = new Set<OperationId>([
  "exports.messages",
  "messages.list",
  "messages.replies",
  "channels.pins",
  "privacy.export",
]);

/** Wraps a handler so that it waits for its turn if it reads a large page. */
export function takeTurns(turns: Turns, handler: Handler): Handler {
  return (call) =>
    largePages.has(localsOf(call.res).operation?.id ?? "")
      ? turns.run(callerNameOf(call.res), () => handler(call))
      : handler(call);
}
