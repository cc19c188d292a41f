import * as z from "zod";
import type { ErrorCode } from "../errors";
import { refusalAnswer, refusalName } from "./refusals";
import type { Answer, Reference, Schema } from "./shape";

/** What several operations share, gathered while they are described: each named schema and each set of codes once. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly responses: Record<string, Answer> = {};

  /** A Zod schema as JSON Schema; those with an `id` become references to the component of that name. */
  schema(schema: z.core.$ZodType): Schema {
    const { $defs, $schema, ...own } = z.toJSONSchema(schema, {
      // The input side leaves plain objects open and strict ones closed, which is what the contract means by them.
      io: "input",
      // Metadata is a custom type, which brings its JSON Schema along in `.meta()`.
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => say(zodSchema, jsonSchema),
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.schemas[name] ??= withComponentReferences(definition);
    }
    return withComponentReferences(own);
  }

  /** A reference to the answer for a set of codes of one status. */
  refusal(codes: readonly ErrorCode[]): Reference {
    const name = refusalName(codes);
    this.responses[name] ??= refusalAnswer(codes);
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Says what Zod's own conversion leaves unsaid, and leaves out what says nothing. */
function say(zodSchema: z.core.$ZodTypes, jsonSchema: Schema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  // Zod drops the default of a schema that transforms, though here it is the default of what is sent.
  const usual = z.globalRegistry.get(zodSchema)?.default;
  if (usual !== undefined) jsonSchema.default = usual;
  const definition = zodSchema._zod.def;
  if (definition.type === "union") sayUnion(jsonSchema, definition);
}

function sayUnion(jsonSchema: Schema, definition: z.core.$ZodUnionDef): void {
  const options = jsonSchema.oneOf ?? jsonSchema.anyOf;
  if (options === undefined) return;
  delete jsonSchema.anyOf;
  jsonSchema.oneOf = options;
  if (!("discriminator" in definition)) return;
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

/** Zod points into `$defs` of the schema at hand; the document keeps all of them in one place. */
function withComponentReferences(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : value,
  );
  // Written just above out of a schema: only the references differ.
  return JSON.parse(text) as Schema;
}
