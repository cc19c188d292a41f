import { expect, test } from "vitest";
import { Breaker } from "./breaker";
import { callHook } from "./call-hook";
import { openCalls } from "./hook-set";

/** Asks a hook that does not respond ten times, each with a part of the time that it has. Returns for how long it is paused. */
async function failWith(leftMs: number): Promise<number> {
  const breaker = new Breaker(() => 0);
  const hook = {
    pk: 1,
    hookId: "hook_1",
    url: "https://hooks.example.com",
    timeoutMs: 1_000,
    rejectsOnFailure: true,
    secretsAt: () => [],
    calls: openCalls(),
    breaker,
  };
  const deps = {
    receivers: { post: async () => ({ status: null, durationMs: 1, error: "There was no response." }) },
    log: { add: () => undefined },
    logger: { warn: () => undefined },
    now: () => 0,
    makeId: () => "1",
  };
  const question = { operation: "messages.send", channel_id: "room_1", content: "" } as const;
  for (let count = 0; count < 10; count++)
    expect(await callHook(deps, hook, { ...question, user_id: `kim_${count}` }, leftMs)).toMatchObject({
      action: "failure",
    });
  return breaker.pausedMs;
}

test("only calls with the time of the hook pause it: others have waited, and do not show whether it works", async () => {
  expect(await failWith(10_000)).toBe(30_000);
  expect(await failWith(500)).toBe(0);
});
