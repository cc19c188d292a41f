import { expect, test } from "vitest";
import type { Db } from "../../db/db";
import { listShared } from "./status-store";

const [agent, guest, colleague] = [1, 2, 3];

/** The pair of agent and colleague takes too long. */
const query = async ({ name }: { name: string }) => {
  if (name !== "presence.list-shared") throw new Error("The statement took too long.");
  return [
    { viewerPk: agent, userPk: colleague, isBlocked: false, isShared: null },
    { viewerPk: guest, userPk: agent, isBlocked: false, isShared: true },
  ];
};
const db = { isDistributed: false, query, schemas: () => [{ query }] } as unknown as Db;
const pairs = [
  { viewerPk: agent, userPk: colleague },
  { viewerPk: guest, userPk: agent },
];

test("users in very many channels, whose lookup fails, keep nobody from seeing others", async () => {
  const errors: unknown[] = [];
  const shared = await listShared(db, pairs, (error) => errors.push(error));
  expect([shared.map(({ viewerPk }) => viewerPk), errors.length]).toEqual([[guest], 1]);
  await expect(listShared(db, pairs)).rejects.toThrow("too long");
});
