import { openApiDocument, resolveSchema, type Schema } from "@madang/contract";
import fc from "fast-check";

const document = openApiDocument();

/** Ids that exist, so that many requests get past the lookup. */
export const knownUsers = ["user_a", "user_b", "user_c", "user_d"];
export const knownChannels = ["chan_a", "chan_b", "chan_c"];

/** Every channel has these messages. Their positions are set, because the ids contain them. */
export const knownMessages = ["1000-1", "2000-2", "3000-3"];
const messageNames = ["message_id", "before", "after", "around"];

/** Values that are valid for a schema of the OpenAPI document. Some rules are not in the schema. */
export function arbitraryFor(schema: Schema | boolean | undefined, name = ""): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === "boolean") return fc.jsonValue();
  if (schema.$ref !== undefined) return arbitraryFor(resolveSchema(document, schema));
  if (schema.const !== undefined) return fc.constant(schema.const);
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => arbitraryFor(option)));
  switch (schema.type) {
    case "object":
      return arbitraryObject(schema);
    case "array":
      return fc.array(arbitraryFor(itemOf(schema), name), { maxLength: Math.min(schema.maxItems ?? 5, 5) });
    case "integer":
      return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 2 ** 53 - 1 });
    case "boolean":
      return fc.boolean();
    default:
      return arbitraryText(schema, name);
  }
}

function itemOf({ items }: Schema): Schema | boolean | undefined {
  return Array.isArray(items) ? items[0] : items;
}

function arbitraryObject({ properties, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  if (properties === undefined)
    return fc.dictionary(
      fc.string({ unit: fc.constantFrom(..."abcXYZ가나_-"), minLength: 1, maxLength: 6 }),
      arbitraryFor(additionalProperties),
      { maxKeys: 6 },
    );
  const fields: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, arbitraryFor(property, name)]),
  );
  return fc.record(fields, { requiredKeys: required });
}

function arbitraryText(schema: Schema, name: string): fc.Arbitrary<string> {
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.min(schema.maxLength ?? 40, Math.max(minLength, 40));
  if (schema.format === "date")
    return fc
      .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10));
  if (name === "timezone") return fc.constantFrom("UTC", "Asia/Seoul", "America/New_York");
  const isId = schema.pattern !== undefined && (minLength === 4 || messageNames.includes(name));
  const unit = isId ? fc.constantFrom(..."abcdefghij0123456789_") : "grapheme";
  const text = fc.string({ unit, minLength, maxLength });
  return isId ? fc.oneof({ weight: 3, arbitrary: knownIds(name) }, { weight: 1, arbitrary: text }) : text;
}

export function knownIds(name: string): fc.Arbitrary<string> {
  if (messageNames.includes(name)) return fc.constantFrom(...knownMessages);
  return name.startsWith("channel") ? fc.constantFrom(...knownChannels) : fc.constantFrom(...knownUsers);
}

/** Values of every kind, for every field. */
export const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }),
  fc.constantFrom<unknown>(
    null,
    "",
    "\0",
    "\ud800",
    "a\ud800b",
    "\u202e",
    "__proto__",
    "x".repeat(9_000),
    "가".repeat(300),
    -1,
    0.5,
    1e308,
    -0,
    2 ** 53,
    [],
    {},
    [[[[[[]]]]]],
    { constructor: { prototype: {} } },
    JSON.parse('{"__proto__": {"a": "b"}}'),
  ),
);

/** A value with one change: a field is removed, added or replaced by any value. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(), wild, fc.constantFrom("replace", "remove", "add", "replace all"))
    .map(change);
}

function change([value, position, other, how]: [unknown, number, unknown, string]): unknown {
  if (how === "replace all" || typeof value !== "object" || value === null || Array.isArray(value))
    return other;
  const entries = Object.entries(value);
  const index = entries.length === 0 ? 0 : position % entries.length;
  if (how === "add") return { ...value, [`field_${position % 7}`]: other };
  if (how === "remove") return Object.fromEntries(entries.filter((_, each) => each !== index));
  return Object.fromEntries(entries.map(([key, old], each) => [key, each === index ? other : old]));
}
