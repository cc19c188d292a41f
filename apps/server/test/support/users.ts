import type { ChatClient } from "@madang/client";

/** Creates users with these ids, in this order. */
export async function createUsers(chat: ChatClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) await chat.users.create({ user_id: id, name: id });
}

/** `count` ids with a common prefix: `${prefix}_000`, `${prefix}_001`, … */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}_${String(index).padStart(3, "0")}`);
}

/** Counts the results of concurrent calls by error code, or `ok`. */
export async function outcomes(calls: readonly Promise<unknown>[]): Promise<Map<string, number>> {
  const results = await Promise.allSettled(calls);
  const counts = new Map<string, number>();
  for (const result of results) {
    const name = result.status === "fulfilled" ? "ok" : String(result.reason?.code ?? result.reason);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
