import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { withWorkAfter } from "../../../test/support/work-after";
import { openWriter } from "../../write/writer";
import { addMembers } from "./add-many-store";

const server = await startServer();
afterAll(() => server.close());

const post = (path: string, body: object) => call(server.url, "POST", path, { body });
const createUser = (user_id: string) => post("/v1/users", { user_id, name: "User" });
const createChannel = (channel_id: string) =>
  post("/v1/group/channels", { channel_id, name: "Room", members: ["early_user"] });

test.each([
  ["channel", "late_room", "other_user", () => createChannel("late_room"), "channel_not_found"],
  ["user", "early_room", "late_user", () => createUser("late_user"), "user_not_found"],
] as const)(
  "a %s that is created between the lock and the addition, and so is not locked, is not found",
  async (_, channelId, userId, create, code) => {
    for (const id of ["early_user", "other_user"]) await createUser(id);
    await createChannel("early_room");
    const writer = openWriter(withWorkAfter("channels.lock-with-users", server.db, create));
    await expect(addMembers(server.db, writer, channelId, [userId], Date.now())).rejects.toMatchObject({
      code,
    });
  },
);
