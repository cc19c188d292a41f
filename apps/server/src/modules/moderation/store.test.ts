import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { createToken } from "../../../test/support/replay";
import { startServer, type TestServer } from "../../../test/support/server";
import { untilBlocking } from "../../../test/support/until-blocking";
import { withWorkAfter } from "../../../test/support/work-after";
import { openWriter } from "../../write/writer";
import { muteMember } from "./store";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await post("/v1/users", { user_id: "kim_01", name: "Kim" });
  await post("/v1/group/channels", { channel_id: "room_1", name: "Room", members: ["kim_01"] });
});
afterAll(() => server.close());

const post = (path: string, body: object) => call(server.url, "POST", path, { body });

test("a channel that is created between the lock and the mute gets the mute when both run again", async () => {
  const create = () =>
    post("/v1/group/channels", { channel_id: "late_room", name: "Room", members: ["kim_01"] });
  const writer = openWriter(withWorkAfter("channels.lock-both-fully", server.db, create));
  await muteMember(writer, "late_room", "kim_01", 0);
  const { body } = await call(server.url, "GET", "/v1/group/channels/late_room/members/kim_01");
  expect(body.muted_until).toBe(0);
});

test("a ban that waits while its user is deleted and created again is a ban of the new user", async () => {
  const banning = await server.db.transaction(async (tx) => {
    const run = (text: string) => tx.query({ name: `test.${text.slice(0, 40)}`, text });
    await run("SELECT FROM users WHERE user_id = 'kim_01' FOR UPDATE");
    await run("UPDATE users SET deleted_at = 1 WHERE user_id = 'kim_01'");
    await run("INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('kim_01', 'New', 2, 2)");
    const reply = call(server.url, "PUT", "/v1/group/channels/room_1/bans/kim_01", { body: {} });
    await untilBlocking(run);
    return { reply };
  });
  expect((await banning.reply).status).toBe(200);
  const { body } = await call(server.url, "GET", "/v1/group/channels/room_1/bans");
  expect(body.bans).toMatchObject([{ user: { user_id: "kim_01", name: "New" } }]);
});

test("an edit that waits while its user is suspended is rejected", async () => {
  await post("/v1/users", { user_id: "lee_02", name: "Lee" });
  await post("/v1/group/channels", { channel_id: "room_2", name: "Room", members: ["lee_02"] });
  const { body: message } = await post("/v1/group/channels/room_2/messages", {
    user_id: "lee_02",
    type: "text",
    content: "Hi",
  });
  const key = await createToken(server.url, "lee_02");
  const editing = await server.db.transaction(async (tx) => {
    const run = (text: string) => tx.query({ name: `test.${text.slice(0, 40)}`, text });
    await run("UPDATE users SET suspended_until = 0 WHERE user_id = 'lee_02'");
    await run("SELECT FROM users WHERE user_id = 'lee_02' FOR UPDATE");
    const path = `/v1/group/channels/room_2/messages/${message.message_id}`;
    const reply = call(server.url, "PUT", path, { key, body: { content: "Bye" } });
    // An edit that does not wait takes effect beside the suspension.
    await Promise.race([untilBlocking(run), reply]);
    return { reply };
  });
  expect((await editing.reply).body).toMatchObject({ status: 403, code: "user_suspended" });
});
