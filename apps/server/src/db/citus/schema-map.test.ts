import { expect, test } from "vitest";
import { postgresUrl } from "../../../test/support/database";
import { withConnection } from "../connection/with-connection";
import { schemaIndexOf, schemaIndexSql } from "./schema-map";

test("a channel has the same schema in the server as in the database", async () => {
  const ids = ["chan_1", "", "대화", "a".repeat(500)];
  const { rows } = await withConnection(await postgresUrl(), (client) =>
    client.query<{ index: string }>(
      `SELECT ${schemaIndexSql("id", 1_000)} AS index FROM unnest($1::text[]) AS id`,
      [ids],
    ),
  );
  expect(ids.map((id) => schemaIndexOf(id, 1_000))).toEqual(rows.map(({ index }) => Number(index)));
  expect(schemaIndexOf("chan_1", 1_000)).toBe((-998_763_674 + 2 ** 32) % 1_000);
});
