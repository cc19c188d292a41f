import { setTimeout } from "node:timers/promises";
import { type AuditSetting, auditSettings, isAudited, limits, operations } from "@madang/contract";
import { listInteractions, requestTime } from "@madang/contract-tests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEntries, removeEntries } from "../support/audit-entries";
import { createDatabase } from "../support/database";
import { rejectedFirst, replay } from "../support/replay";
import { scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";
import { type Created, createWorld } from "../support/world";

const clock = { now: 0 };
const database = await createDatabase();
const servers = new Map<AuditSetting, TestServer>();
/** Worlds are created without entries. */
let quiet: TestServer;
beforeAll(async () => {
  quiet = await requireServer("off");
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await database.drop();
});

async function requireServer(audit: AuditSetting): Promise<TestServer> {
  const settings = { MADANG_AUDIT: audit };
  const server =
    servers.get(audit) ?? (await startServerOn(database.url, { now: () => clock.now, settings }));
  servers.set(audit, server);
  return server;
}

type Interaction = ReturnType<typeof listInteractions>[number];

const usesDefaults = ({ given }: Interaction) => given?.settings === undefined;
/** Worlds are created without entries, so a list of them has no second page. */
const hasFirstPage = ({ operation, request }: Interaction) =>
  operation !== "audit.list" || Object(request?.query).next === undefined;
const codeOf = ({ response }: Interaction): string => Object(response.body).code ?? "";
const outcomeOf = (interaction: Interaction) =>
  [interaction.operation, interaction.response.status, codeOf(interaction), interaction.request?.key].join(
    " ",
  );

const interactions = listInteractions().filter(usesDefaults).filter(hasFirstPage);
/** Every interaction, or the first one with each outcome. */
const outcomes = scale(
  [...Map.groupBy(interactions, outcomeOf).values()].flatMap(([first]) => first ?? []),
  interactions,
);

/** What the setting promises for an interaction. */
function countPromised(setting: AuditSetting, interaction: Interaction, status: number): number {
  const operation = operations.find(({ id }) => id === interaction.operation);
  if (operation === undefined) throw new Error("There is no such operation.");
  if (!isAudited(setting, operation)) return 0;
  if (status < 400) return 1;
  const isCalled = !["unauthenticated", "route_not_found", "method_not_allowed"].includes(
    codeOf(interaction),
  );
  // A query that cannot be decoded is rejected before the operation is known.
  return operation.route.method === "GET" && isCalled && canDecode(interaction.request?.rawQuery) ? 1 : 0;
}

const kindOf = ({ request }: Interaction) =>
  request?.as === undefined ? (request?.key === "sub" ? "sub" : "master") : "user";

function canDecode(query = ""): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

const cases = outcomes.flatMap((interaction) =>
  auditSettings.map((setting) => ({ ...interaction, setting })),
);
const byWorld = Object.values(Object.groupBy(cases, ({ given }) => JSON.stringify(given ?? {})));

for (const sharing of byWorld) {
  /** The world that a rejected request left as it was, for the next request. */
  let unchanged: Created | undefined;

  test.each(rejectedFirst(sharing))(
    "$operation $name: with MADANG_AUDIT=$setting it has the entries of the setting, and they have no content",
    async ({ setting, ...interaction }) => {
      const server = await requireServer(setting);
      const created = unchanged ?? (await createWorld({ ...quiet, clock }, interaction.given ?? {}));
      unchanged = undefined;
      clock.now = requestTime;
      // The servers share one limit of signals, by the clock of the machine.
      if (interaction.operation === "signals.send") await setTimeout(1_000 / limits.signal.perSecond);
      const { status } = await replay(server.url, interaction, created, quiet.url);
      expect(status).toBe(interaction.response.status);
      const found = await readEntries(server);
      const operation = operations.find(({ id }) => id === interaction.operation);
      const expected = {
        operation: operation?.variantOf ?? interaction.operation,
        method: operation?.route.method,
        status,
        code: status < 400 ? null : codeOf(interaction),
        kind: kindOf(interaction),
      };
      expect(found).toMatchObject(Array(countPromised(setting, interaction, status)).fill(expected));
      expect(findLeaks(interaction, found)).toEqual([]);
      if (status < 400) return;
      await removeEntries(server);
      unchanged = created;
    },
  );
}

/** Fields whose values are ids. */
const idNames = new Set([
  "user_id",
  "channel_id",
  "message_id",
  "webhook_id",
  "member",
  "manager",
  "members",
  "operation",
]);

/** What a request says beside ids, in an entry. */
function findLeaks({ request }: Interaction, found: readonly object[]): string[] {
  const said = [request?.params, request?.query, request?.body].flatMap((part) => listTexts(part));
  const recorded = listTexts(found);
  return said.filter((text) =>
    recorded.some((value) => value === text || (text.length > 5 && value.includes(text))),
  );
}

function listTexts(node: unknown): string[] {
  if (typeof node === "string") return node === "" ? [] : [node];
  if (Array.isArray(node)) return node.flatMap(listTexts);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => (idNames.has(name) ? [] : listTexts(value)));
}
