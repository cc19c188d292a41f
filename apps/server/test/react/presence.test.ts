import { expect, onTestFinished, test } from "vitest";
import { Gate } from "../support/gate";
import { admin, createRoom, newId, openPage, startSharedServer } from "../support/react";

startSharedServer();

/** A page of a user who is online by it. */
async function openOf(userId: string) {
  const page = await openPage(userId, new Gate());
  await expect.poll(() => page.store.connection.get().state).toBe("connected");
  return page;
}

const onlineOf = ({ store }: Awaited<ReturnType<typeof openOf>>) =>
  [...store.presence.state.get().values()]
    .filter(({ status }) => status === "online")
    .map(({ user_id }) => user_id)
    .sort();

test("the parts of a page and the tabs of a user share one stream, which has whom all of them show", async () => {
  const room = await createRoom();
  const lee = newId("lee");
  await admin.users.create({ user_id: lee, name: "Lee" });
  await admin.channels.members.join(room.channelId, lee);
  const tabs = [await openOf(room.kim), await openOf(room.kim)] as const;
  onTestFinished(tabs[0].store.presence.watch([room.park]));
  const stop = tabs[1].store.presence.watch([lee]);
  onTestFinished(tabs[1].store.presence.watch([lee, room.park]));
  await expect.poll(() => tabs[1].store.presence.state.get().get(lee)?.status).toBe("offline");
  const states: string[] = [];
  onTestFinished(tabs[0].store.connection.subscribe(() => states.push(tabs[0].store.connection.get().state)));
  await openOf(room.park);
  await expect.poll(() => onlineOf(tabs[0])).toEqual([room.park]);
  await expect.poll(() => onlineOf(tabs[1])).toEqual([room.park]);
  await openOf(lee);
  await expect.poll(() => onlineOf(tabs[1])).toEqual([lee, room.park]);
  // The other one does not show Lee.
  expect(onlineOf(tabs[0])).toEqual([room.park]);
  stop();
  // A page that shows somebody else is not shown as disconnected.
  onTestFinished(tabs[0].store.presence.watch([lee]));
  await expect.poll(() => onlineOf(tabs[0])).toEqual([lee, room.park]);
  expect(states).not.toContain("disconnected");
  // Who is blocked is not online.
  await admin.users.blocks.add(lee, room.kim);
  for (const tab of tabs) await expect.poll(() => onlineOf(tab)).toEqual([room.park]);
});

test("a service without presence shows nobody online, and the page works", async () => {
  const room = await createRoom();
  const gate = new Gate();
  gate.reject(/presence/, 409, "presence_disabled");
  const page = await openPage(room.kim, gate);
  await expect.poll(() => page.store.connection.get().state).toBe("connected");
  onTestFinished(page.store.presence.watch([room.park]));
  await expect.poll(() => gate.count(/presence_of/)).toBe(1);
  await expect.poll(() => gate.count(/stream/)).toBe(3);
  await expect.poll(() => page.store.connection.get().state).toBe("connected");
  expect(onlineOf(page)).toEqual([]);
  expect([gate.count(/presence_of/), gate.count(/GET .v1.presence/)]).toEqual([1, 1]);
});
