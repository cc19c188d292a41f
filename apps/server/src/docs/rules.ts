import type { Schema } from "./described-operation";
import { type Html, html } from "./html";

/** The rules of a JSON Schema as text, without those that its description states. */
export function rulesBeside(description: string, schema: Schema): string[] {
  const { pattern, default: value } = schema;
  const stated = new Set(numbersIn(description));
  return [
    ...limitsOf(schema).filter((limit) => !numbersIn(limit).every((number) => stated.has(number))),
    ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
    ...(value === undefined || description.includes(`default ${value}`) ? [] : [`\`${value}\` by default`]),
  ];
}

function limitsOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minimum, schema.maximum, ""),
    range(schema.minItems, schema.maxItems, " entries"),
    range(schema.minProperties, schema.maxProperties, " pairs"),
  ].filter((limit) => limit !== undefined);
}

/** The numbers in a text, without the commas between thousands. */
const numbersIn = (text: string) =>
  (text.match(/\d+(?:,\d{3})*/g) ?? []).map((number) => number.replaceAll(",", ""));

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
