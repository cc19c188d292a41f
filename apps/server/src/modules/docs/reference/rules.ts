import type { Schema } from "@madang/contract";
import { type Html, html } from "../html";

/** The rules of a JSON Schema as text. */
export function rulesOf(schema: Schema): string[] {
  const { pattern, default: value } = schema;
  return [
    ...limitsOf(schema),
    ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
    ...(value === undefined ? [] : [`\`${value}\` by default`]),
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

/** The type of a value as text: `array of User`, `integer`, `"text"`. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return html`${schema.$ref.split("/").at(-1) ?? ""}`;
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
