import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../../test/support/server";
import { openWriter } from "../../idempotency/writer";
import { createUserFinder } from "./find-user";
import { createUser } from "./store";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const userId of ["user_1", "user_2", "user_3"])
    await createUser(openWriter(server.db), { userId, name: userId, profileUrl: undefined, meta: {} }, 1);
});
afterAll(() => server.close());

test("concurrent lookups each find their user, including the same one twice and none", async () => {
  const find = createUserFinder(server.db);
  const userIds = ["user_1", "user_3", "unknown", "user_1", "user_2"];
  const found = await Promise.all(userIds.map(find));
  expect(found.map((user) => user?.name)).toEqual(["user_1", "user_3", undefined, "user_1", "user_2"]);
});

test("an error rejects all waiting lookups, and no later ones", async () => {
  let isBroken = true;
  const find = createUserFinder({
    ...server.db,
    query: (statement, values) =>
      isBroken ? Promise.reject(new Error("broken")) : server.db.query(statement, values),
  });
  const failed = await Promise.allSettled(["user_1", "user_2"].map(find));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect((await find("user_1"))?.name).toBe("user_1");
});
