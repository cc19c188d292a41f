import { type Operation, operations } from "@madang/contract";
import { type Interaction, requestTime, requireAccepted } from "@madang/contract-tests";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, send } from "../support/call";
import { createToken, replay } from "../support/replay";
import { masterKey, startServer } from "../support/server";
import { type Created, createWorld } from "../support/world";

/**
 * Every operation as every kind of user, with a token, and some with a key of the user. What is expected follows from the word of the
 * contract alone.
 */

const roles = ["participant", "manager", "former participant", "stranger", "deleted user"] as const;
type Role = (typeof roles)[number];
const credentials = ["a token", "a key"] as const;

const clock = { now: 0 };
const server = await startServer({ now: () => clock.now });
afterAll(() => server.close());

const outsider = { user_id: "outsider_97", name: "Outsider", meta: { team: "red" } };

interface Actor {
  readonly userId: string;
  /** Whether the user sent the message that the request names. */
  readonly isAuthor: boolean;
}

/** As whom an operation is called: the user that it names or who sent the message, and, if others may try, somebody else. */
const kindsOf = ({ user }: Operation): readonly ("author" | "other")[] =>
  user === "author" || user === "author_or_manager" ? ["author", "other"] : ["other"];

const channelOf = ({ request }: Interaction): string | undefined =>
  request?.params?.channel_id ?? Object(request?.body).channel_id;

async function chooseActor(
  { user, selfField }: Operation,
  { request = {} }: Interaction,
  created: Created,
  kind: "author" | "other",
): Promise<Actor> {
  if (user === "self") {
    const userId = request.params?.user_id ?? Object(request.body)[selfField ?? ""] ?? outsider.user_id;
    return { userId, isAuthor: false };
  }
  if (kind === "other") return { userId: outsider.user_id, isAuthor: false };
  const params = { channel_id: request.params?.channel_id ?? "", message_id: created.messageIds?.[0] ?? "" };
  const path = `/v1/group/channels/${params.channel_id}/messages/${params.message_id}`;
  const { body } = await call(server.url, "GET", path);
  return { userId: body.user.user_id, isAuthor: true };
}

async function giveRole(role: Role, channelId: string, userId: string): Promise<void> {
  const path = `/v1/group/channels/${channelId}`;
  const put = (end: string) => call(server.url, "PUT", `${path}/${end}`, { body: { member: userId } });
  const isIn = role === "participant" || role === "former participant";
  if (isIn) await put("join");
  if (role !== "participant") await put("leave");
  if (role === "manager") await call(server.url, "POST", `${path}/managers`, { body: { manager: userId } });
  else await call(server.url, "DELETE", `${path}/managers/${userId}`);
}

/** The status and the code that the contract promises. */
function expectedOf(operation: Operation, interaction: Interaction, role: Role, { isAuthor }: Actor) {
  const { user, id } = operation;
  if (role === "deleted user") return { status: 401, code: "unauthenticated" };
  const notPermitted = { status: 403, code: "not_permitted" };
  if (user === "no") return notPermitted;
  const accepted = { status: interaction.response.status, code: undefined };
  // A file that no message has yet is that of its creator.
  if (id === "files.get") return { status: 404, code: "file_not_found" };
  if (channelOf(interaction) === undefined) return accepted;
  if (role === "former participant" || role === "stranger") return { status: 404, code: "channel_not_found" };
  if (["channels.members.markRead", "channels.members.setPreferences"].includes(id) && role === "manager")
    return { status: 403, code: "not_a_participant" };
  const isManager = role === "manager";
  const isPermitted = {
    member: true,
    self: true,
    author: isAuthor,
    author_or_manager: isAuthor || isManager,
    manager: isManager,
  };
  return isPermitted[user] ? accepted : notPermitted;
}

async function credentialOf(kind: (typeof credentials)[number], userId: string): Promise<string> {
  if (kind === "a token") return createToken(server.url, userId);
  const { body } = await call(server.url, "POST", "/v1/applications/keys", { body: { user_id: userId } });
  return body.key;
}

const tried = operations.filter(({ user }) => user !== "no");
const forbidden = operations.filter(({ user }) => user === "no");

async function prepare(
  operation: Operation,
  role: Role,
  kind: "author" | "other",
  credential: (typeof credentials)[number],
  beside: (channelId: string | undefined) => Promise<() => Promise<unknown>> = async () => async () =>
    undefined,
) {
  const accepted = requireAccepted(operation.id);
  const users = [...(accepted.given?.users ?? []), outsider];
  const created = await createWorld({ ...server, clock }, { ...accepted.given, users });
  clock.now = requestTime;
  const actor = await chooseActor(operation, accepted, created, kind);
  const sent = await credentialOf(credential, actor.userId);
  const channelId = channelOf(accepted);
  if (role === "deleted user") {
    await send(server.url, "users.delete", {
      params: { user_id: actor.userId },
      headers: { authorization: `Bearer ${masterKey}` },
    });
  } else if (channelId !== undefined) await giveRole(role, channelId, actor.userId);
  const query = accepted.request?.query;
  const request = {
    ...accepted.request,
    ...(query?.as_user && { query: { ...query, as_user: actor.userId } }),
    headers: { ...accepted.request?.headers, authorization: `Bearer ${sent}` },
  };
  const end = await beside(channelId);
  const response = await replay(server.url, { ...accepted, operation: operation.id, request }, created);
  await end();
  return { response, expected: expectedOf(operation, accepted, role, actor), actor };
}

/** Locks a channel, as a change of it does, until the returned function is called, at most for some seconds. */
async function lock(channelId: string | undefined) {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM channels WHERE channel_id = $1 FOR UPDATE", [channelId]);
  let isWaiting = false;
  const timer = setTimeout(() => {
    isWaiting = true;
    void client.end();
  }, 5_000);
  return async () => {
    clearTimeout(timer);
    if (!isWaiting) await client.end();
    expect(isWaiting, "waits for the lock").toBe(false);
  };
}

/** What an operation does with a token and with a key of a user is the same code: one operation of each right has both. */
const ofRights = [...Map.groupBy(tried, ({ user }) => user).values()].flatMap(([first]) => first ?? []);

describe.each(credentials)("with %s", (credential) => {
  const called = credential === "a token" ? tried : ofRights;
  describe.each(roles)("as a %s", (role) => {
    // It is authenticated before the operation is known.
    const ofRole = role === "deleted user" ? ofRights : called;
    const cases = ofRole.flatMap((operation) =>
      kindsOf(operation).map((kind) => ({ operation, kind, id: operation.id })),
    );
    test.each(cases)("$id, $kind", async ({ operation, kind }) => {
      const { response, expected, actor } = await prepare(operation, role, kind, credential);
      expect({ status: response.status, code: Object(response.body).code }).toEqual(expected);
      if (response.status < 400 && !operation.id.startsWith("keys."))
        expectNothingPrivate(response.body, actor.userId);
    });
  });

  // Waiting would tell that there is a channel.
  const ofChannels = called.filter(({ id }) => channelOf(requireAccepted(id)) !== undefined);
  test.each(ofChannels)("as a stranger, $id does not wait for the lock of the channel", async (operation) => {
    const { response, expected } = await prepare(operation, "stranger", "other", credential, lock);
    expect({ status: response.status, code: Object(response.body).code }).toEqual(expected);
  });
});

// The middleware decides, without a query, so nothing is prepared.
describe("for no user", () => {
  let token: string;
  beforeAll(async () => {
    await createWorld({ ...server, clock }, { users: [outsider] });
    token = await createToken(server.url, outsider.user_id);
  });

  test.each(forbidden)("$id", async ({ id, route }) => {
    const [, ...names] = route.path.split("/:").map((part) => part.split("/")[0] ?? "");
    const params = Object.fromEntries(names.map((name) => [name, "some_id"]));
    const { status, body } = await send(server.url, id, {
      params,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([status, Object(body).code]).toEqual([403, "not_permitted"]);
  });
});

/** Of other users, a response shows what is public. */
function expectNothingPrivate(value: unknown, userId: string): void {
  if (Array.isArray(value)) for (const entry of value) expectNothingPrivate(entry, userId);
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.values(value)) expectNothingPrivate(entry, userId);
  const { user_id, name, meta, ...others } = value as Record<string, unknown>;
  if (user_id === undefined || name === undefined || user_id === userId) return;
  expect(meta, "metadata").toEqual({});
  const shown = ["profile_url", "created_at", "joined_at", "read_message_id"];
  expect(Object.keys(others).filter((field) => !shown.includes(field))).toEqual([]);
}
