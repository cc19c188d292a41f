import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../../test/support/server";
import { batchUserLookups } from "./batch-lookups";
import { createUser } from "./store";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const userId of ["user_1", "user_2", "user_3"])
    await createUser(server.db, { userId, name: userId, profileUrl: undefined, meta: {} }, 1);
});
afterAll(() => server.close());

test("each of many look-ups at once finds its own user, the same one twice, or none", async () => {
  const find = batchUserLookups(server.db);
  const asked = ["user_1", "user_3", "nobody", "user_1", "user_2"];
  const found = await Promise.all(asked.map(find));
  expect(found.map((user) => user?.name)).toEqual(["user_1", "user_3", undefined, "user_1", "user_2"]);
});

test("a failure reaches everybody who waited, and nobody who comes later", async () => {
  let isBroken = true;
  const find = batchUserLookups({
    ...server.db,
    query: (statement, values) =>
      isBroken ? Promise.reject(new Error("broken")) : server.db.query(statement, values),
  });
  const failed = await Promise.allSettled(["user_1", "user_2"].map(find));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect((await find("user_1"))?.name).toBe("user_1");
});
