import { ChatClient } from "@madang/client";
import { type Server, startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test("`madang tokens create` prints a token that acts as the user, and `madang tokens revoke` ends it", async () => {
  const chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  const run = (...args: string[]) => runInMemory(args, { env: server.env });

  const created = await run("tokens", "create", "kim_01", "--expires-in", "120", "--json");
  expect(created).toMatchObject({ exitCode: 0, stderr: "" });
  const { token, expires_at } = JSON.parse(created.stdout);
  expect(expires_at).toBeLessThanOrEqual(Date.now() + 121_000);
  const kim = new ChatClient({ baseUrl: server.url, token });
  expect(await kim.users.channels("kim_01").toArray()).toHaveLength(1);

  expect(await run("tokens", "create", "nobody_01")).toMatchObject({ exitCode: 4 });
  expect(await run("tokens", "create", "kim_01", "--expires-in", "59")).toMatchObject({ exitCode: 2 });

  expect(await run("tokens", "revoke", "kim_01", "--yes")).toMatchObject({ exitCode: 0 });
  await expect
    .poll(
      () =>
        kim.users
          .channels("kim_01")
          .toArray()
          .catch((error) => error.code),
      { timeout: 10_000 },
    )
    .toBe("unauthenticated");
});
