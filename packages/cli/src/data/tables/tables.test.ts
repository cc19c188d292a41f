import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  contract,
  openApiDocument,
  operationsWithSchemas,
  resolveSchema,
  type Schema,
  user,
} from "@madang/contract";
import { expect, test } from "vitest";
import { createFolder } from "../../../test/support/folder";
import { takeBack } from "../../commands/import/take-back";
import { type Row, toCells } from "./column";
import { formatCsvHeader, formatCsvRow } from "./csv";
import { writeParquet } from "./parquet";
import { readRows } from "./read-rows";
import { columnsOfList, type Kind, kinds, tables } from "./tables";

const folder = createFolder();
const document = openApiDocument();
const resolve = (schema: Schema | boolean) => resolveSchema(document, schema);

/** What is exported: an entry of these lists, in each of its forms. */
const exported = {
  users: ["User"],
  channels: ["Channel"],
  members: ["Participant"],
  managers: ["MemberEntry"],
  bans: ["Ban"],
  blocks: ["Block"],
  preferences: ["Preferences"],
  messages: ["TextMessage", "FileMessage", "SystemMessage"],
} satisfies Record<Kind, string[]>;

/** A value of a schema that has all fields, and one of a newer version in each object. */
function sampleOf(declared: Schema | boolean): unknown {
  const { type, enum: choices, const: only, examples, properties, items, oneOf } = resolve(declared);
  if (oneOf?.[0] !== undefined) return sampleOf(oneOf[0]);
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]);
    return { ...Object.fromEntries(fields), new_field: { since: 2 } };
  }
  if (type === "array" && typeof items === "object" && !Array.isArray(items)) return [sampleOf(items)];
  const [example] = [...(choices ?? []), only, ...(Array.isArray(examples) ? examples : [])].filter(
    (each) => each !== undefined,
  );
  if (example !== undefined) return example;
  return { string: "text", boolean: false, integer: 7, object: { type: "card" } }[String(type)];
}

const rowsOf = (kind: Kind): Row[] =>
  exported[kind].map((name) => {
    const row = Object(sampleOf({ $ref: `#/components/schemas/${name}` }));
    if (kind === "members" || kind === "managers") return { channel_id: "room_1", ...row };
    if (kind === "preferences") return { user_id: "kim_01", channel_id: "room_1", ...row };
    const { user, ...other } = row;
    if (kind === "blocks") return { user_id: "kim_01", blocked_user_id: user.user_id, ...other };
    return kind === "bans" ? { channel_id: "room_1", user_id: user.user_id, ...other } : row;
  });

/** A part of a message is JSON of any form, of which the writer of Parquet knows the objects. */
const parts = JSON.parse('[{"type":"card","__proto__":{"a":1},"list":[{"__proto__":2}],"none":null}]');

test.each(kinds.flatMap((kind) => (["csv", "parquet"] as const).map((format) => [kind, format] as const)))(
  "every field of %s that the contract has, or a newer one, is read back from %s",
  async (kind, format) => {
    const rows = rowsOf(kind).map((row) => ("parts" in row ? { ...row, parts } : row));
    const columns = tables[kind];
    const path = join(folder, `${kind}.${format}`);
    const text = [formatCsvHeader(columns), ...rows.map((row) => formatCsvRow(columns, row))];
    if (format === "csv") await writeFile(path, text);
    else
      await writeParquet(
        path,
        columns,
        (async function* () {
          yield rows;
        })(),
      );
    const read: Row[] = [];
    for await (const batch of readRows(path, kind)) read.push(...batch);
    // `toEqual` sees no `__proto__`.
    expect(read.map(sortedJson)).toEqual(rows.map(sortedJson));
    // Nothing but the fields of a newer version has no column.
    for (const row of rows) {
      const others = JSON.stringify(toCells(columns, row).at(-1), (name, value) =>
        name === "new_field" ? undefined : value,
      );
      expect(others).toMatch(/^\{(?:"\w+":\{\},?)*\}$/);
    }
  },
);

const sortedJson = (row: Row) =>
  JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));

test("every list of the contract can be printed as CSV, with every field of its entries but secrets", () => {
  const paged = operationsWithSchemas(document).filter(({ query }) =>
    query.some(({ name }) => name === "next"),
  );
  const withoutList = paged.filter(({ id }) => columnsOfList(id) === undefined).map(({ id }) => id);
  // It has several lists.
  expect(withoutList).toEqual(["privacy.export"]);
  const fieldsOf = (id: string) => [...new Set(columnsOfList(id)?.map(({ path }) => path[0]))].sort();
  const namesOf = (schema: string) =>
    Object.keys(document.components.schemas[schema]?.properties ?? {}).sort();
  expect(fieldsOf("audit.list")).toEqual(namesOf("AuditEntry"));
  expect(fieldsOf("users.channels")).toEqual(namesOf("UserChannel"));
  expect(fieldsOf("keys.list")).toEqual(namesOf("SubKey").filter((name) => name !== "key"));
});

test.each(kinds)(
  "an import takes back every field of %s that its request has, and names the others",
  (kind) => {
    const bodies = {
      users: [contract.users.create.body.shape],
      channels: [contract.channels.create.body.omit({ members: true, reuse: true }).shape],
      members: [contract.channels.members.get.pathParams.shape],
      managers: [contract.channels.members.get.pathParams.shape],
      bans: [contract.channels.bans.add.body.unwrap().shape],
      blocks: [contract.users.blocks.add.pathParams.shape],
      preferences: [contract.channels.members.setPreferences.body.shape],
      messages: contract.imports.messages.body.shape.messages.element.options.map(({ shape }) => shape),
    }[kind].map((shape) => Object.keys(shape));
    for (const [index, row] of rowsOf(kind).entries()) {
      // What a message calls otherwise.
      const all: Row = { ...row, user_id: "kim_01" };
      // Participants and managers have the fields of their user, too.
      const ofUser = kind === "members" || kind === "managers" ? Object.keys(user.shape) : [];
      const others = Object.keys(all).filter((name) => name === "user_id" || !ofUser.includes(name));
      const sent = Object.fromEntries(others.map((name) => [name, all[name]]));
      const { taken, leftOut } = takeBack(kind, sent);
      const names = Object.keys(sent);
      expect(Object.keys(taken)).toEqual(
        expect.arrayContaining(names.filter((name) => bodies[index]?.includes(name))),
      );
      expect([...Object.keys(taken), ...leftOut.filter((name) => !name.includes("."))].sort()).toEqual(
        names.sort(),
      );
      expect(leftOut).toContain("new_field");
    }
  },
);
