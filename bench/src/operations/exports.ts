import { bigRoom, historyDays, historyStart } from "../world";
import type { Operation, World } from "./operation";

/** Pages of 100 and 1,000 messages where the history begins, in its middle and near its end. */
export const exportOperations: readonly Operation[] = [100, 1_000].flatMap((limit) => [
  exportOperation(limit, "newest", undefined),
  exportOperation(limit, "middle", historyDays / 2),
  exportOperation(limit, "oldest", 2),
]);

function exportOperation(limit: number, place: string, day: number | undefined): Operation {
  const path = `/v1/exports/group/channels/${bigRoom}/messages`;
  let query = `limit=${limit}`;
  return {
    id: `exports.${limit}.${place}`,
    title: `export a page of ${limit.toLocaleString("en-US")}, ${place}`,
    target: limit === 1_000 ? 1 : undefined,
    async prepare(world) {
      if (day === undefined) return;
      // A short history has few messages a day: the page before the cursor must be full, and so must the one after it.
      const least = 1 + Math.ceil((historyDays * 2.5 * limit) / world.sizes.messages);
      query = `next=${await cursorAt(world, path, limit, Math.max(day, least))}`;
    },
    turn: () => [{ method: "GET", path: `${path}?${query}` }],
  };
}

/** A cursor of the server's own, found by asking for what was sent until a day: it stands just before that. */
async function cursorAt({ ask }: World, path: string, limit: number, day: number): Promise<string> {
  const end = new Date(historyStart + (day - 1) * 86_400_000).toISOString().slice(0, 10);
  // The answer of the export, by the contract.
  const { next } = (await ask(`${path}?limit=${limit}&end_date=${end}`)) as { next: string };
  return next;
}
