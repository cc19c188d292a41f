import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer, type TestServer } from "../../../test/support/server";
import type { Queryable, Statement } from "../../db/db";
import { openWriter } from "../../idempotency/writer";
import { addMembers } from "./add-many-store";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const post = (path: string, body: object) => call(server.url, "POST", path, { body });
const createUser = (user_id: string) => post("/v1/users", { user_id, name: "User" });
const createChannel = (channel_id: string) =>
  post("/v1/group/channels", { channel_id, name: "Room", members: ["early_user"] });

/** A database that does the work after the statement that locks the users and the channel. */
function withWorkAfterLock(db: Queryable, work: () => Promise<unknown>): Queryable {
  const query = async <Row>(tx: Queryable, statement: Statement<Row>, values?: readonly unknown[]) => {
    const rows = await tx.query(statement, values);
    if (statement.name === "members.lock-many") await work();
    return rows;
  };
  return {
    ...db,
    channel: (id) => withWorkAfterLock(db.channel(id), work),
    transaction: (run) =>
      db.transaction((tx) =>
        run({
          ...tx,
          query: (statement, values) => query(tx, statement, values),
          channel: (id) => tx.channel(id),
        }),
      ),
  };
}

test.each([
  ["channel", "late_room", "other_user", () => createChannel("late_room"), "channel_not_found"],
  ["user", "early_room", "late_user", () => createUser("late_user"), "user_not_found"],
] as const)(
  "a %s that is created between the lock and the addition, and so is not locked, is not found",
  async (_, channelId, userId, create, code) => {
    for (const id of ["early_user", "other_user"]) await createUser(id);
    await createChannel("early_room");
    const writer = openWriter(withWorkAfterLock(server.db, create));
    await expect(addMembers(writer, channelId, [userId], Date.now())).rejects.toMatchObject({ code });
  },
);
