import { type Interaction, listInteractions, requestTime } from "@madang/contract-tests";
import { afterAll, describe, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { normalize, replay } from "../support/replay";
import { startServerOn, type TestServer } from "../support/server";
import { readState } from "../support/state";
import { createWorld } from "../support/world";

const clock = { now: 0 };
const database = await createDatabase();
const servers = new Map<string, TestServer>();

afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await database.drop();
});

/** One server for each set of settings, all on one database. */
async function requireServer({ given = {} }: Interaction): Promise<TestServer> {
  const { userList, keyHeaders } = given.settings ?? {};
  const settings = {
    ...(userList && { MADANG_USER_LIST: userList }),
    ...(keyHeaders && { MADANG_KEY_HEADERS: keyHeaders.join(",") }),
  };
  const name = JSON.stringify(settings);
  const server = servers.get(name) ?? (await startServerOn(database.url, { now: () => clock.now, settings }));
  servers.set(name, server);
  return server;
}

describe.each(Object.entries(Object.groupBy(listInteractions(), ({ operation }) => operation)))(
  "%s",
  (_, interactions = []) => {
    test.each(interactions)("$name", async (interaction) => {
      const server = await requireServer(interaction);
      const created = await createWorld({ ...server, clock }, interaction.given ?? {});
      const stateBefore = await readState(server.db);
      clock.now = requestTime;
      const response = await replay(server.url, interaction, created);
      expect(normalize(response, interaction.response)).toStrictEqual(interaction.response);
      expect(response.headers?.["x-request-id"]).toMatch(/./);
      // A rejected request changes nothing.
      if (response.status >= 400) expect(await readState(server.db)).toBe(stateBefore);
    });
  },
);
