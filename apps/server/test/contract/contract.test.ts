import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OperationId, operations } from "@madang/contract";
import { type Interaction, listInteractions, requestTime, type Settings } from "@madang/contract-tests";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { createPushSettings } from "../support/push-settings";
import { normalize, replay } from "../support/replay";
import { startServerOn, type TestServer } from "../support/server";
import { readState } from "../support/state";
import { type Created, createWorld } from "../support/world";

const clock = { now: 0 };
const pushSettings = await createPushSettings();
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

async function start({ userList, keyHeaders, files, push, presence }: Settings): Promise<TestServer> {
  const folder = files === "unavailable" ? await mkdtemp(join(tmpdir(), "madang-gone-")) : undefined;
  const settings = {
    ...(userList && { MADANG_USER_LIST: userList }),
    ...(files && { MADANG_FILES: folder === undefined ? files : `folder:${folder}` }),
    ...(push ? { MADANG_PUSH_CONTACT: "" } : pushSettings),
    ...(presence && { MADANG_PRESENCE: presence }),
    ...(keyHeaders && { MADANG_KEY_HEADERS: keyHeaders.join(",") }),
  };
  const server = await startServerOn(database.url, { now: () => clock.now, settings });
  if (folder !== undefined) await rm(folder, { recursive: true });
  return server;
}

const byWorld = Object.values(Object.groupBy(listInteractions(), ({ given }) => JSON.stringify(given ?? {})));

/** What the previous request should have left unchanged, for the next one with the same world. */
let unchanged: { readonly world: string; readonly created: Created; readonly state: string } | undefined;

/** Whether a request may change what is stored. */
const mayChange = ({ operation, response }: Interaction & { operation: OperationId }) =>
  (response.status < 400 && methods.get(operation) !== "GET") ||
  // A rejected text of a message that was being written goes.
  (operation === "messages.finish" && response.status === 422);
const methods = new Map(operations.map(({ id, route }) => [id, route.method]));

/** Making a world takes longer than a request. Those that change nothing come first: the next one can use their world. */
const changingLast = byWorld.flatMap((sharing = []) =>
  sharing.toSorted((one, other) => Number(mayChange(one)) - Number(mayChange(other))),
);

/** The last of each world that change nothing: what is stored is compared after them, for all of that world. */
const compared = new Set(byWorld.map((sharing = []) => sharing.findLast((each) => !mayChange(each))));

test.each(changingLast)("$operation: $name", async (interaction) => {
  const server = await requireServer(interaction);
  const world = JSON.stringify(interaction.given ?? {});
  const given = unchanged?.world === world ? unchanged : { world, ...(await prepare(server, interaction)) };
  unchanged = undefined;
  clock.now = requestTime;
  const send = () => replay(server.url, interaction, given.created);
  let response = await send();
  for (let tries = 0; tries < 20 && hasEndedEarly(interaction, response); tries++) response = await send();
  expect(normalize(response, interaction.response)).toStrictEqual(interaction.response);
  expect(response.headers?.["x-request-id"]).toMatch(/./);
  if (response.status >= 400)
    expect(JSON.stringify(response.body), "the messages are not those of Zod").not.toMatch(ofZod);
  if (mayChange(interaction)) return;
  if (compared.has(interaction)) {
    const message = "reading and rejected requests change nothing: one with this world does";
    expect(await readState(server.db), message).toBe(given.state);
  }
  unchanged = given;
});

const searches = ["messages.search", "messages.searchAll", "users.searchMessages", "users.messages"];

/** A search ends its page after 200 ms, with a cursor. On a busy machine, that is before it has found anything. */
const hasEndedEarly = (
  { operation, response: { body: expected } }: ReturnType<typeof listInteractions>[number],
  { body }: { body?: unknown },
) => searches.includes(operation) && "next" in Object(body) && !("next" in Object(expected));

/** How the messages of Zod begin. */
const ofZod = /"message":"(Invalid|Too|Unrecognized|Expected) /;

async function prepare(own: TestServer, interaction: Interaction & { operation: OperationId }) {
  const { given = {} } = interaction;
  // A storage that is unavailable had the files of the world, and a provider that is gone had its devices.
  const { files, push } = given.settings ?? {};
  const server = files === "unavailable" || push === "gone" ? await requireServer({}) : own;
  const created = await createWorld({ ...server, clock }, given);
  return { created, state: mayChange(interaction) ? "" : await readState(server.db) };
}
