import type { OpenApiDocument, Parameter, Schema } from "@madang/contract";
import { type Html, html, nothing, prose } from "../html";
import { rulesOf, typeOf } from "./rules";

interface Field {
  readonly name: string;
  /** A note beside the name, such as `required`. */
  readonly note: string | undefined;
  readonly description: string | undefined;
  readonly schema: Schema;
}

/** A schema can be sent or received: a request says which fields it requires, a response which may be absent. */
interface Direction {
  readonly isRequest: boolean;
  readonly document: OpenApiDocument;
}

/** The parameters of an operation in one location, with their rules. */
export function parameterFields(parameters: readonly Parameter[], location: Parameter["in"]): Html {
  const entries = parameters
    .filter((parameter) => parameter.in === location)
    .map(({ name, required, description, schema }) =>
      fieldEntry({ name, note: required ? "required" : undefined, description, schema }, nothing),
    );
  return entries.length === 0 ? nothing : html`<dl class="fields">${entries}</dl>`;
}

/** The type of a body and all of its fields, with those of the objects in it. */
export function bodyFields(schema: Schema, direction: Direction): Html {
  return html`<p class="type">${typeOf(schema)}</p>
${fieldsOf(schema, direction, [])}`;
}

/** `names` are the schemas around this one. */
function fieldsOf(schema: Schema, direction: Direction, names: readonly string[]): Html {
  const { document, isRequest } = direction;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const named = document.components.schemas[name];
    // A schema that contains itself is shown once.
    return named === undefined || names.includes(name)
      ? nothing
      : fieldsOf(named, direction, [...names, name]);
  }
  if (schema.oneOf !== undefined) {
    const options = schema.oneOf.map((option) => collapsed(option, direction, names));
    return html`<div class="options">${options}</div>`;
  }
  if (schema.type === "array" && typeof schema.items === "object" && !Array.isArray(schema.items))
    return fieldsOf(schema.items, direction, names);
  const { properties, required = [] } = schema;
  if (properties === undefined) return nothing;
  const entries = Object.entries(properties).map(([name, property]) => {
    const schema: Schema = typeof property === "boolean" ? {} : property;
    const isRequired = required.includes(name);
    const note = isRequest ? (isRequired ? "required" : undefined) : isRequired ? undefined : "may be absent";
    const field = { name, note, description: schema.description, schema };
    return fieldEntry(field, collapsed(schema, direction, names));
  });
  return html`<dl class="fields">${entries}</dl>`;
}

/** The fields of an object within another one, which open where they stand. */
function collapsed(schema: Schema, direction: Direction, names: readonly string[]): Html {
  const fields = fieldsOf(schema, direction, names);
  if (fields === nothing) return nothing;
  return html`<details><summary>Fields of <span class="type">${typeOf(schema)}</span></summary>
${fields}</details>`;
}

function fieldEntry({ name, note, description, schema }: Field, content: Html): Html {
  const rules = rulesOf(schema);
  return html`<div>
<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${note === undefined ? nothing : html` <span class="note">${note}</span>`}</dt>
<dd>${description === undefined ? nothing : html`<p>${prose(description)}</p>`}${
    rules.length === 0 ? nothing : html`<p class="rules">${prose(rules.join("; "))}</p>`
  }${content}</dd>
</div>`;
}
