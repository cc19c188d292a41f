import { ChatClient } from "@madang/client";
import { expect, test } from "vitest";
import { startTestServer } from "./support/server";

const { url, chat, run } = await startTestServer();

test("`madang tokens create` prints a token that acts as the user, and `madang tokens revoke` ends it", async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });

  const created = await run("tokens", "create", "kim_01", "--expires-in", "120", "--json");
  expect(created).toMatchObject({ exitCode: 0, stderr: "" });
  const { token, expires_at } = JSON.parse(created.stdout);
  expect(expires_at).toBeLessThanOrEqual(Date.now() + 121_000);
  const kim = new ChatClient({ baseUrl: url, token });
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
