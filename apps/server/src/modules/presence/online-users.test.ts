import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Db } from "../../db/db";
import { leaveMs } from "./online-store";
import { OnlineUsers } from "./online-users";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The connection breaks after one of the statements, which PostgreSQL has committed. */
function createOnlineUsers() {
  const stored = new Set<number>();
  let breaksAfter: string | undefined;
  const query = async ({ name }: { name: string }, [, keys]: readonly unknown[]) => {
    if (name === "presence.add") for (const key of keys as number[]) stored.add(key);
    if (name === "presence.remove") for (const key of keys as number[]) stored.delete(key);
    if (name === breaksAfter) throw new Error("The connection broke.");
    return name === "presence.find-expired" ? [{ hasAny: false }] : [{ hasLease: true }];
  };
  const users = new OnlineUsers({
    db: { query } as unknown as Db,
    processId: "process",
    storesLastSeen: false,
    announce: () => undefined,
    isWatched: () => false,
    logger: { warn: () => undefined },
  });
  const breakAfter = (name: string | undefined) => {
    breaksAfter = name;
  };
  return { users, stored, breakAfter };
}

const kim = { userId: "kim_01", userPk: 1 };

test("who comes back after a removal whose response was lost is online", async () => {
  const { users, stored, breakAfter } = createOnlineUsers();
  const leave = users.enter(kim);
  await vi.advanceTimersByTimeAsync(100);
  breakAfter("presence.remove");
  leave();
  await vi.advanceTimersByTimeAsync(leaveMs + 100);
  expect([...stored]).toEqual([]);
  breakAfter(undefined);
  users.enter(kim);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([...stored]).toEqual([1]);
  await users.close();
});

test("who leaves while its entry cannot be confirmed is offline", async () => {
  const { users, stored, breakAfter } = createOnlineUsers();
  breakAfter("presence.add");
  const leave = users.enter(kim);
  leave();
  await vi.advanceTimersByTimeAsync(leaveMs + 100);
  expect(users.size).toBe(0);
  breakAfter(undefined);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([...stored]).toEqual([]);
  await users.close();
});
