import { afterAll, expect, test } from "vitest";
import { createDatabase, openDatabase } from "../../../test/support/database";
import { databaseNow } from "../../db/db";
import { isInForce, isNotSuspended } from "./conditions";

const database = await createDatabase();
const db = await openDatabase(database.url);
afterAll(async () => {
  await db.close();
  await database.drop();
});

// The clock of the database stands still during a statement.
test.each([
  ["ends in a millisecond", `${databaseNow} + 1`, true],
  ["ends in this millisecond", databaseNow, false],
  ["ended a millisecond ago", `${databaseNow} - 1`, false],
  ["has no end", "0::bigint", true],
])("a mute, a ban or a suspension that %s", async (name, until, expected) => {
  const [row] = await db.query<{ isInForce: boolean; isFree: boolean }>({
    name: `test.conditions, ${name}`,
    text: `SELECT ${isInForce(`(${until})`)} AS "isInForce", ${isNotSuspended("u")} AS "isFree"
      FROM (SELECT ${until} AS suspended_until) AS u`,
  });
  expect(row).toEqual({ isInForce: expected, isFree: !expected });
});

test("a user without a suspension is free", async () => {
  const [row] = await db.query<{ isFree: boolean }>({
    name: "test.conditions, none",
    text: `SELECT ${isNotSuspended("u")} AS "isFree" FROM (SELECT NULL::bigint AS suspended_until) AS u`,
  });
  expect(row).toEqual({ isFree: true });
});
