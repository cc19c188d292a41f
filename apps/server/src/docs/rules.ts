import type { Schema } from "./described-operation";
import { type Html, html } from "./html";

/** The rules of a JSON Schema as text. */
export function rulesOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minimum, schema.maximum, ""),
    range(schema.minItems, schema.maxItems, " entries"),
    range(schema.minProperties, schema.maxProperties, " pairs"),
    schema.pattern === undefined ? undefined : `matches \`${schema.pattern}\``,
    schema.default === undefined ? undefined : `\`${String(schema.default)}\` by default`,
  ].filter((rule) => rule !== undefined);
}

/** The type of a value as text, with links to named schemas: `array of User`, `integer`, `"text"`. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref);
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined)
    return html`${schema.enum.map((value) => JSON.stringify(value)).join(" or ")}`;
  if (schema.oneOf !== undefined) {
    return html`${schema.oneOf.map((option, index) => html`${index === 0 ? "" : "or "}${typeOf(option)}`)}`;
  }
  if (schema.type === "array") return html`array of ${itemsOf(schema)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any");
  return html`${schema.format === undefined ? type : `${type} (${schema.format})`}`;
}

/** The id of a named schema's section. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

function schemaLink(reference: string): Html {
  const name = reference.split("/").at(-1) ?? "";
  return html`<a href="#${schemaId(name)}">${name}</a>`;
}

function itemsOf({ items }: Schema): Html {
  return typeof items === "object" && !Array.isArray(items) ? typeOf(items) : html`any`;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  const max = maximum?.toLocaleString("en-US");
  const min = minimum?.toLocaleString("en-US");
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min === undefined ? undefined : `at least ${min}${unit}`;
}
