import { limits } from "@madang/contract";
import { afterEach, expect, test } from "vitest";
import { expectWithinIfLong } from "../../../../test/support/report";
import { ServiceError } from "../../../errors/service-error";
import { ListenerLimit } from "./listener-limit";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const leave of opened.splice(0)) leave();
});

const limit = (maxAgeMs?: number) =>
  new ListenerLimit({ random: () => 0, ...(maxAgeMs !== undefined && { maxAgeMs }) });

/** Admits listeners of a sub key, or of the master key, and returns the keys of those that were ended. */
function admit(listeners: ListenerLimit, key: string, count = 1): string[] {
  const ended: string[] = [];
  const caller =
    key === "master"
      ? { kind: "master" as const }
      : { kind: "sub" as const, id: key, digest: key, label: undefined };
  for (let index = 0; index < count; index++) {
    const leave = listeners.admit({
      caller,
      checkKey: async () => {
        if (key === "deleted") throw new ServiceError("unauthenticated", "The key was deleted.");
        if (key === "unknown") throw new ServiceError("unavailable", "The database is not available.");
      },
      end: () => {
        ended.push(key);
        leave();
      },
    });
    opened.push(leave);
  }
  return ended;
}

const { perProcess, perSubKey, keptForMasterKey } = limits.eventListeners;

test("a sub key has a limit, and those that leave make room", () => {
  const listeners = limit();
  admit(listeners, "one", perSubKey);
  expect(() => admit(listeners, "one")).toThrow(/This sub key has 100 streams/);
  admit(listeners, "two");
  opened.shift()?.();
  admit(listeners, "one");
});

test("all sub keys together leave room for the master key, up to the limit of the process", () => {
  const listeners = limit();
  for (let key = 0; key < 10; key++) admit(listeners, `key ${key}`, perSubKey);
  expect(() => admit(listeners, "another")).toThrow(/This server has no more streams/);
  admit(listeners, "master", keptForMasterKey);
  expect(listeners.size).toBe(perProcess);
  expect(() => admit(listeners, "master")).toThrow(/This server has no more streams/);
});

test("the listeners of a key that is no longer valid are ended within a second, and no others", async () => {
  const listeners = limit();
  const [valid, unknown, deleted] = [
    admit(listeners, "valid", 2),
    admit(listeners, "unknown"),
    admit(listeners, "deleted", 2),
  ];
  const startedAt = performance.now();
  await expect.poll(() => deleted).toEqual(["deleted", "deleted"]);
  expectWithinIfLong(1_000, performance.now() - startedAt);
  expect([valid, unknown]).toEqual([[], []]);
});

test("a listener ends at a maximum age, whether or not its client is still there", async () => {
  const ended = admit(limit(300), "master");
  await expect.poll(() => ended).toEqual(["master"]);
});
