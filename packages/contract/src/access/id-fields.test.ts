import { expect, test } from "vitest";
import * as z from "zod";
import { operations } from "../operation-list";
import { idFieldsOf } from "./id-fields";

const named = operations.map((operation) => ({ id: operation.id, operation }));

test.each(named)("$id: the audit entry has each id of the path", ({ operation }) => {
  const { pathParams } = operation.route;
  const names = pathParams instanceof z.ZodObject ? Object.keys(pathParams.shape) : [];
  const found = idFieldsOf(operation).filter((field) => field.in === "path");
  expect(found.map(({ name }) => name)).toEqual(names.filter((name) => name.endsWith("_id")));
});

interface Json {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly $defs?: Readonly<Record<string, Json>>;
}

/** The fields of a body as its JSON Schema has them. */
function namesOf(json: Json, root = json): string[] {
  const named = json.$ref === undefined ? undefined : root.$defs?.[json.$ref.replace("#/$defs/", "")];
  const variants = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(named === undefined ? [] : [named])];
  return [...Object.keys(json.properties ?? {}), ...variants.flatMap((variant) => namesOf(variant, root))];
}

// An id of another system may be anything.
const isNamedId = (name: string) => /_id$|^member$|^manager$/.test(name) && name !== "external_id";

test.each(named)("$id: the audit entry has each id of the body", ({ operation }) => {
  const body = "body" in operation.route ? operation.route.body : undefined;
  const json = body instanceof z.ZodType ? z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) : {};
  const names = new Set(namesOf(json as Json).filter(isNamedId));
  const found = idFieldsOf(operation).filter((field) => field.in === "body" && !field.isList);
  expect(
    found
      .map(({ name }) => name)
      .filter((name) => name !== "reply_to")
      .sort(),
  ).toEqual([...names].sort());
});

const fieldsOf = (id: string) => {
  const operation = operations.find((each) => each.id === id);
  return operation === undefined
    ? []
    : idFieldsOf(operation).map(({ in: part, name, entryField }) => `${part}.${name}: ${entryField}`);
};

test("the ids of a body have their fields, that of the caller itself comes last, and channels are counted", () => {
  expect(fieldsOf("reports.create")).toEqual([
    "body.channel_id: channel_id",
    "body.message_id: message_id",
    "body.reported_user_id: user_id",
    "body.reporter_user_id: user_id",
  ]);
  expect(fieldsOf("channels.managers.add")).toEqual(["path.channel_id: channel_id", "body.manager: user_id"]);
  expect(fieldsOf("messages.sendMany")).toContain("body.channel_ids: subject");
  expect(fieldsOf("audit.list")).toEqual(["query.user_id: user_id", "query.channel_id: channel_id"]);
  expect(fieldsOf("messages.list")).toEqual(["path.channel_id: channel_id"]);
  expect(fieldsOf("webhooks.get")).toEqual(["path.webhook_id: subject"]);
});
