import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Interaction, listInteractions, requestTime, type Settings } from "@madang/contract-tests";
import { afterAll, describe, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { normalize, rejectedFirst, replay } from "../support/replay";
import { startServerOn, type TestServer } from "../support/server";
import { readState } from "../support/state";
import { type Created, createWorld } from "../support/world";

const clock = { now: 0 };
const database = await createDatabase();
const servers = new Map<string, TestServer>();

afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await database.drop();
});

/** One server for each set of settings, all on one database. */
async function requireServer({ given = {} }: Pick<Interaction, "given">): Promise<TestServer> {
  const name = JSON.stringify(given.settings ?? {});
  const server = servers.get(name) ?? (await start(given.settings ?? {}));
  servers.set(name, server);
  return server;
}

async function start({ userList, keyHeaders, files }: Settings): Promise<TestServer> {
  const folder = files === "unavailable" ? await mkdtemp(join(tmpdir(), "madang-gone-")) : undefined;
  const settings = {
    ...(userList && { MADANG_USER_LIST: userList }),
    ...(files && { MADANG_FILES: folder === undefined ? files : `folder:${folder}` }),
    ...(keyHeaders && { MADANG_KEY_HEADERS: keyHeaders.join(",") }),
  };
  const server = await startServerOn(database.url, { now: () => clock.now, settings });
  if (folder !== undefined) await rm(folder, { recursive: true });
  return server;
}

const byOperation = Object.entries(Object.groupBy(listInteractions(), ({ operation }) => operation));

describe.each(byOperation)("%s", (_, interactions = []) => {
  const byWorld = Object.groupBy(interactions, ({ given }) => JSON.stringify(given ?? {}));
  for (const sharing of Object.values(byWorld)) {
    /** The world that a rejected request left as it was, for the next request. */
    let unchanged: { readonly created: Created; readonly state: string } | undefined;

    test.each(rejectedFirst(sharing))("$name", async (interaction) => {
      const server = await requireServer(interaction);
      const world = unchanged ?? (await prepare(server, interaction));
      unchanged = undefined;
      clock.now = requestTime;
      const send = () => replay(server.url, interaction, world.created);
      let response = await send();
      for (let tries = 0; tries < 20 && hasEndedEarly(interaction, response); tries++)
        response = await send();
      expect(normalize(response, interaction.response)).toStrictEqual(interaction.response);
      expect(response.headers?.["x-request-id"]).toMatch(/./);
      if (response.status < 400) return;
      expect(JSON.stringify(response.body), "the messages are not those of Zod").not.toMatch(ofZod);
      expect(await readState(server.db), "a rejected request changes nothing").toBe(world.state);
      unchanged = world;
    });
  }
});

const searches = ["messages.search", "messages.searchAll", "users.searchMessages", "users.messages"];

/** A search ends its page after 200 ms, with a cursor. On a busy machine, that is before it has found anything. */
const hasEndedEarly = (
  { operation, response: { body: expected } }: ReturnType<typeof listInteractions>[number],
  { body }: { body?: unknown },
) => searches.includes(operation) && "next" in Object(body) && !("next" in Object(expected));

/** How the messages of Zod begin. */
const ofZod = /"message":"(Invalid|Too|Unrecognized|Expected) /;

async function prepare(own: TestServer, { given = {} }: Interaction) {
  // A storage that is unavailable had the files of the world.
  const server = given.settings?.files === "unavailable" ? await requireServer({}) : own;
  const created = await createWorld({ ...server, clock }, given);
  return { created, state: await readState(server.db) };
}
