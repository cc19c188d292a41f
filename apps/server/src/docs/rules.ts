import type { Schema } from "./described-operation";
import { type Html, html } from "./html";

/** The rules of a value in words, as JSON Schema gives them. */
export function rulesOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minimum, schema.maximum, ""),
    range(schema.minItems, schema.maxItems, " entries"),
    range(schema.minProperties, schema.maxProperties, " pairs"),
    schema.pattern === undefined ? undefined : `matches \`${schema.pattern}\``,
    schema.default === undefined ? undefined : `\`${String(schema.default)}\` when left out`,
  ].filter((rule) => rule !== undefined);
}

/** The type of a value in a few words, with links to the named shapes: `array of User`, `integer`, `"text"`. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return shapeLink(schema.$ref);
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

/** Where the page explains a named shape. */
export function shapeId(name: string): string {
  return `shape-${name}`;
}

function shapeLink(reference: string): Html {
  const name = reference.split("/").at(-1) ?? "";
  return html`<a href="#${shapeId(name)}">${name}</a>`;
}

function itemsOf({ items }: Schema): Html {
  return typeof items === "object" && !Array.isArray(items) ? typeOf(items) : html`any`;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string | undefined {
  const most = maximum?.toLocaleString("en-US");
  const least = minimum?.toLocaleString("en-US");
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? undefined : `at least ${least}${unit}`;
}
