import { expect, test } from "vitest";
import { encode, renameTables } from "./call-shard";
import type { Shard } from "./shard-map";

const shard: Shard = {
  id: 7,
  minHash: 0,
  key: 1,
  tables: {
    channels: "channels_7",
    members: "members_8",
    managers: "managers_9",
    messages: "messages_10",
    events: "channel_events_11",
    users: "user_copies_12",
  },
};

test("tables have the names of the shard; names in quotes and parts of names do not change", () => {
  const text = `SELECT m.*, 'messages.imported', channels.pk AS "members" FROM channels JOIN members m ON true
    WHERE members_position > 0 AND nextval('messages_pk_seq') > 0 AND starts_with(type, 'messages.')`;
  expect(
    renameTables(text, shard),
  ).toBe(`SELECT m.*, 'messages.imported', channels_7.pk AS "members" FROM channels_7 JOIN members_8 m ON true
    WHERE members_position > 0 AND nextval('messages_pk_seq') > 0 AND starts_with(type, 'messages.')`);
});

test("values are text as PostgreSQL reads it", () => {
  const values = [null, undefined, 1, true, "a", { b: 1 }, Buffer.from("c"), ['"d"\\', null, ["e"]]];
  expect(values.map(encode)).toEqual([
    null,
    null,
    "1",
    "true",
    "a",
    '{"b":1}',
    "\\x63",
    '{"\\"d\\"\\\\",NULL,"{\\"e\\"}"}',
  ]);
});
