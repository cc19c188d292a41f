import { expect, test } from "vitest";
import { postgresUrl } from "../../../test/support/database";
import { withConnection } from "../with-connection";
import { hashInteger, shardKeyOf, shardKeySql } from "./shard-map";

test("integers have the hashes of PostgreSQL, by which Citus distributes rows", async () => {
  const values = [
    0,
    1,
    -1,
    5,
    2 ** 31 - 1,
    -(2 ** 31),
    ...Array.from({ length: 1_000 }, (_, n) => (n * 2_654_435_761) | 0),
  ];
  const { rows } = await withConnection(await postgresUrl(), (client) =>
    client.query<{ hash: number }>("SELECT hashint4(value) AS hash FROM unnest($1::integer[]) AS value", [
      values,
    ]),
  );
  expect(values.map(hashInteger)).toEqual(rows.map(({ hash }) => hash));
});

test("a shard key is the first four bytes of SHA-256, in the server as in the database", async () => {
  const ids = ["chan_1", "", "대화", "a".repeat(500)];
  const { rows } = await withConnection(await postgresUrl(), (client) =>
    client.query<{ key: number }>(`SELECT ${shardKeySql("id")} AS key FROM unnest($1::text[]) AS id`, [ids]),
  );
  expect(ids.map(shardKeyOf)).toEqual(rows.map(({ key }) => key));
  expect(shardKeyOf("chan_1")).toBe(-998_763_674);
});
