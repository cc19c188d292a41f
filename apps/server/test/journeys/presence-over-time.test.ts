import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { goOnline, isOnline, untilOnline, watch } from "../support/presence";
import { startServer, startServerOn } from "../support/server";

const settings = { MADANG_PRESENCE: "last_seen" };
const server = await startServer({ settings });
const other = await startServerOn(server.databaseUrl, { settings });
afterAll(async () => {
  await other.close();
  await server.close();
});
const chat = chatWith(server);

/** A user is offline so long after its last client has left: 10 s, and what it takes to store and to notice. */
const leaveMs = 10_000;
const tolerance = { minMs: -100, maxMs: 5_000 };

async function createPair(name: string) {
  const [kim, lee] = [`kim_${name}`, `lee_${name}`];
  for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: "Kim" });
  await chat.channels.create({ channel_id: `room_${name}`, name: "Room", members: [kim, lee] });
  return { kim, lee };
}

function expectLeft(elapsedMs: number): void {
  expect(elapsedMs).toBeGreaterThan(leaveMs + tolerance.minMs);
  expect(elapsedMs).toBeLessThan(leaveMs + tolerance.maxMs);
}

describe.concurrent("over time", () => {
  test("a user with two devices, at two processes, is online until both have left", async ({ expect }) => {
    const { kim, lee } = await createPair("devices");
    const [phone, laptop] = [await goOnline(server, kim), await goOnline(other, kim)];
    const watching = await watch(other, lee, [kim]);
    await expect.poll(() => watching.shown).toEqual([`${kim} online`]);
    phone.close();
    await sleep(leaveMs + tolerance.maxMs);
    expect(watching.shown).toEqual([`${kim} online`]);
    laptop.close();
    expectLeft(await untilOnline(server, kim, false));
    await expect.poll(() => watching.shown).toEqual([`${kim} online`, `${kim} offline`]);
    const { presence } = await chat.presence.list({ user_ids: [kim] });
    expect(Number(presence[0]?.last_seen_at) % 60_000).toBe(0);
    watching.close();
  });

  test("a user who comes and goes, at one process and the other, stays online", async ({ expect }) => {
    const { kim, lee } = await createPair("flapping");
    const watching = await watch(server, lee, [kim]);
    for (let turn = 0; turn < 8; turn++) {
      const stream = await goOnline(turn % 2 === 0 ? server : other, kim);
      if (turn > 0) expect(await isOnline(other, kim)).toBe(true);
      await sleep(500);
      stream.close();
      await sleep(3_000);
    }
    expect(watching.shown).toEqual([`${kim} online`]);
    watching.close();
  });

  test("a user whose tokens are revoked is offline ten seconds after its streams have ended", async ({
    expect,
  }) => {
    const { kim, lee } = await createPair("revoked");
    const stream = await goOnline(server, kim);
    const watching = await watch(other, lee, [kim]);
    await expect.poll(() => watching.shown).toEqual([`${kim} online`]);
    await chat.users.revokeTokens(kim);
    await stream.ended;
    expectLeft(await untilOnline(other, kim, false));
    await expect.poll(() => watching.shown).toEqual([`${kim} online`, `${kim} offline`]);
    watching.close();
  });

  test("the users of a process that stops are offline ten seconds later, unless they are at another one", async ({
    expect,
  }) => {
    const [{ kim, lee }, { kim: park }] = [await createPair("stopping"), await createPair("moving")];
    const stopping = await startServerOn(server.databaseUrl, { settings });
    await goOnline(stopping, kim);
    await goOnline(stopping, park);
    await untilOnline(server, park);
    const watching = await watch(server, lee, [kim]);
    await expect.poll(() => watching.shown).toEqual([`${kim} online`]);
    const stoppedAt = performance.now();
    await stopping.close();
    const moved = await goOnline(server, park);
    await untilOnline(server, kim, false);
    expectLeft(performance.now() - stoppedAt);
    await expect.poll(() => watching.shown).toEqual([`${kim} online`, `${kim} offline`]);
    expect(await isOnline(server, park)).toBe(true);
    for (const stream of [moved, watching]) stream.close();
  });

  test("a user stays online for longer than a lease", async ({ expect }) => {
    const { kim, lee } = await createPair("staying");
    const stream = await goOnline(server, kim);
    const watching = await watch(other, lee, [kim]);
    await sleep(40_000);
    expect(watching.shown).toEqual([`${kim} online`]);
    for (const each of [stream, watching]) each.close();
  });
});
