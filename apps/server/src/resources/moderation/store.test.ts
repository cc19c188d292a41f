import { expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { withWorkAfter } from "../../../test/support/work-after";
import { openWriter } from "../../write/writer";
import { muteMember } from "./store";

test("a channel that is created between the lock and the mute, and so is not locked, gets no mute", async () => {
  const server = await startServer();
  const post = (path: string, body: object) => call(server.url, "POST", path, { body });
  await post("/v1/users", { user_id: "kim_01", name: "Kim" });
  const create = () =>
    post("/v1/group/channels", { channel_id: "late_room", name: "Room", members: ["kim_01"] });
  const writer = openWriter(withWorkAfter("moderation.lock", server.db, create));
  await expect(muteMember(writer, "late_room", "kim_01", 0)).rejects.toMatchObject({ code: "unavailable" });
  await server.close();
});
