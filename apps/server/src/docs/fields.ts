import type { OpenApiDocument } from "@madang/contract";
import type { Parameter, Schema } from "./described-operation";
import { type Html, html, nothing, prose } from "./html";
import { rulesBeside, typeOf } from "./rules";

interface Field {
  readonly name: string;
  /** A note beside the name, such as `required`. */
  readonly note: string | undefined;
  readonly description: string | undefined;
  readonly schema: Schema;
}

/** The parameters of an operation in one location, with their rules. */
export function parameterFields(parameters: readonly Parameter[], location: Parameter["in"]): Html {
  const fields = parameters
    .filter((parameter) => parameter.in === location)
    .map(({ name, required, description, schema }) => ({
      name,
      note: required ? "required" : undefined,
      description,
      schema,
    }));
  return fieldList(fields);
}

/** The fields of a request body. A reference to a schema is replaced by its fields. */
export function requestFields(schema: Schema, document?: OpenApiDocument): Html {
  const named = document?.components.schemas[schema.$ref?.split("/").at(-1) ?? ""];
  if (named?.properties !== undefined) return requestFields(named);
  if (schema.properties === undefined) return html`<p class="type">${typeOf(schema)}</p>`;
  return objectFields(schema, { required: "required", optional: undefined });
}

/** The fields of a named schema. */
export function schemaFields(name: string, schema: Schema): Html {
  if (schema.properties === undefined) return html`<p class="type">${typeOf(schema)}</p>`;
  const isRequest = name.endsWith("Input");
  return objectFields(
    schema,
    isRequest
      ? { required: "required", optional: undefined }
      : { required: undefined, optional: "may be absent" },
  );
}

type Notes = { readonly [presence in "required" | "optional"]: string | undefined };

function objectFields({ properties = {}, required = [] }: Schema, notes: Notes): Html {
  const fields = Object.entries(properties).map(([name, property]) => {
    const schema: Schema = typeof property === "boolean" ? {} : property;
    const note = required.includes(name) ? notes.required : notes.optional;
    return { name, note, description: schema.description, schema };
  });
  return fieldList(fields);
}

function fieldList(fields: readonly Field[]): Html {
  if (fields.length === 0) return nothing;
  return html`<dl class="fields">${fields.map(fieldEntry)}</dl>`;
}

function fieldEntry({ name, note, description, schema }: Field): Html {
  const rules = rulesBeside(description ?? "", schema);
  return html`<div>
<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${note === undefined ? nothing : html` <span class="note">${note}</span>`}</dt>
<dd>${description === undefined ? nothing : html`<p>${prose(description)}</p>`}${
    rules.length === 0 ? nothing : html`<p class="rules">${prose(rules.join("; "))}</p>`
  }${schema.properties === undefined ? nothing : requestFields(schema)}</dd>
</div>`;
}
