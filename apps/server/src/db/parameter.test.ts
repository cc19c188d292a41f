import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/support/server";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const echoArray = { name: "echo array", text: "SELECT to_json($1::text[]) AS value" };
const echoJson = { name: "echo json", text: "SELECT $1::jsonb AS value" };
const echoNumbers = { name: "echo numbers", text: "SELECT $1::bigint[]::text AS value, $2::bytea AS bytes" };

test.each([
  [[]],
  [["a", "b"]],
  [['"', "\\", "{}", ",", "NULL", "", " ", "\n", "한글 😀", '\\"']],
  [["a", null]],
])("the strings %j reach the database as they are", async (values) => {
  expect(await server.db.query(echoArray, [values])).toEqual([{ value: values }]);
});

test("objects arrive as JSON, numbers as numbers, bytes as bytes", async () => {
  const meta = { __proto__x: "1", 한글: '"', toString: "\\" };
  expect(await server.db.query(echoJson, [meta])).toEqual([{ value: meta }]);
  expect(await server.db.query(echoNumbers, [[1, -2], Buffer.from([0, 255])])).toEqual([
    { value: "{1,-2}", bytes: Buffer.from([0, 255]) },
  ]);
});

test("a statement that failed on a connection is run there again, and each gets its own rows", async () => {
  const divide = { name: "divide", text: "SELECT 1 / $1::int AS value" };
  const inOne = await server.db.transaction(async (tx) => {
    await tx.query({ name: "savepoint", text: "SAVEPOINT here" });
    const refused = await tx.query(divide, [0]).catch((error: Error) => error.message);
    await tx.query({ name: "rollback", text: "ROLLBACK TO here" });
    return [refused, await tx.query(divide, [1]), await tx.query(divide, [1])];
  });
  expect(inOne).toEqual(["division by zero", [{ value: 1 }], [{ value: 1 }]]);
});
