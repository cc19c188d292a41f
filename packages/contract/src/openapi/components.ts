import * as z from "zod";
import { codesOf, membersOf } from "../errors/errors";
import { problemResponse, problemResponseName } from "./problem-responses";
import type { Reference, ResponseObject, Schema } from "./shape";

/** Collects the components that operations share: each named schema and each set of error codes. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly responses: Record<string, ResponseObject> = {};

  /** A Zod schema as JSON Schema; those with an `id` become references to the component of that name. */
  schema(schema: z.core.$ZodType): Schema {
    const { $defs, $schema, ...own } = z.toJSONSchema(schema, {
      // The input form leaves plain objects open and strict ones closed, as the contract intends.
      io: "input",
      // Metadata is a custom type, whose JSON Schema is in its `.meta()`.
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.schemas[name] ??= withComponentReferences(definition);
    }
    return withComponentReferences(own);
  }

  /** A reference to the error response for a set of codes of one status. Operations with the same codes share it. */
  problem(response: unknown): Reference {
    const codes = codesOf(response);
    const name = problemResponseName(codes);
    this.responses[name] ??= problemResponse(codes, this.schema(membersOf(response)));
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Adds what Zod's conversion omits, and removes meaningless bounds. */
function complete(zodSchema: z.core.$ZodTypes, jsonSchema: Schema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  // Zod drops the default of a schema that transforms; here it is the default of the request field.
  const defaultValue = z.globalRegistry.get(zodSchema)?.default;
  if (defaultValue !== undefined) jsonSchema.default = defaultValue;
  const definition = zodSchema._zod.def;
  if (definition.type === "union" || definition.type === "nullable") completeUnion(jsonSchema, definition);
}

function completeUnion(jsonSchema: Schema, definition: z.core.$ZodUnionDef | z.core.$ZodNullableDef): void {
  const options = jsonSchema.oneOf ?? jsonSchema.anyOf;
  if (options === undefined) return;
  delete jsonSchema.anyOf;
  jsonSchema.oneOf = options;
  if (definition.type !== "union" || !("discriminator" in definition)) return;
  const mapping = definition.options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = [...(option._zod.propValues?.[String(definition.discriminator)] ?? [])];
    return id === undefined ? [] : values.map((value) => [String(value), `#/components/schemas/${id}`]);
  });
  jsonSchema.discriminator = {
    propertyName: definition.discriminator,
    mapping: Object.fromEntries(mapping),
  };
}

/** Zod refers to `$defs` of each schema; the document keeps all definitions under `components`. */
function withComponentReferences(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : value,
  );
  // A copy of the schema in which only the references differ.
  return JSON.parse(text) as Schema;
}
