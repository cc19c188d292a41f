import { expect, onTestFinished, test } from "vitest";
import { createRoom, openConversation, type Room, startSharedServer, textsOf } from "../support/react";

startSharedServer();

async function findLock({ kim }: Room): Promise<string> {
  const { held = [] } = await navigator.locks.query();
  const found = held.find(({ name }) => name?.endsWith(kim));
  if (found?.name === undefined) throw new Error("No tab of the user has a stream.");
  return found.name;
}

/** Another tab that has the stream of a user, and is frozen: it tells nothing. */
function freezeTab(name: string) {
  let thaw = () => {};
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  const ended = navigator.locks
    .request(name, () => frozen)
    .then(
      () => "released",
      (error: Error) => error.name,
    );
  onTestFinished(() => thaw());
  return ended;
}

test("a tab that does not respond is replaced by one that is looked at, without a gap", async () => {
  const room = await createRoom();
  const before = await openConversation(room);
  await expect.poll(() => before.store.connection.get().state).toBe("connected");
  const name = await findLock(room);
  before.close();
  const ended = freezeTab(name);
  const { conversation } = await openConversation(room);
  await room.send("one");
  await expect.poll(() => textsOf(conversation)).toEqual(["one"]);
  await expect(ended).resolves.toBe("AbortError");
});

test("a tab whose stream was taken over has everything again", async () => {
  const room = await createRoom();
  const { conversation, store } = await openConversation(room);
  await expect.poll(() => store.connection.get().state).toBe("connected");
  const name = await findLock(room);
  await new Promise<void>((taken) => {
    const hold = () => {
      taken();
      return new Promise<void>(() => undefined);
    };
    // The tab takes it back.
    navigator.locks.request(name, { steal: true }, hold).catch(() => undefined);
  });
  await room.send("one");
  await expect.poll(() => textsOf(conversation)).toEqual(["one"]);
  await room.send("two");
  await expect.poll(() => textsOf(conversation)).toEqual(["one", "two"]);
});
