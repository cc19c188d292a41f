import { itemsFieldOf, type OperationWithSchemas, type Schema } from "@madang/contract";
import { commentOf, inWordsOfSdk, paragraphs } from "./comments.ts";
import {
  camelCase,
  findSchema,
  itemsOf,
  lastWord,
  nameOf,
  optionsOf,
  pascalCase,
  requireSchema,
} from "./model.ts";
import { isList, queryTypeOf } from "./print-queries.ts";
import { typeOf } from "./print-types.ts";

/** The methods that are more than a call. src/resources has them, in classes that extend the generated ones. */
const byHand = [
  "users.upsertMany",
  "channels.create",
  "messages.send",
  "messages.stream",
  "messages.resume",
  "events.list",
  "events.listen",
  "exports.messages",
  "files.upload",
];

/** How a page is read whose response is not an object with items and a cursor. */
const readers: Readonly<Record<string, string>> = { "users.list": "readUserPage" };

/** The names of classes that do not follow from their resource. */
const classNames: Readonly<Record<string, string>> = { "messages.reactions": "Reactions" };

/** A class for each resource of the contract, with a method for each operation. */
export function printResources(
  all: readonly OperationWithSchemas[],
  descriptions: ReadonlyMap<string, string>,
): string {
  const methods = all.filter(({ variantOf }) => variantOf === undefined);
  const resources = [...new Set(methods.map(({ id }) => resourceOf(id)))];
  // A class follows those of its fields.
  const sorted = resources.toSorted((one, other) => depthOf(other) - depthOf(one));
  const classes = sorted.flatMap((resource) => printClass(resource, resources, methods, all, descriptions));
  const whole = resources.filter((resource) => depthOf(resource) === 1 && !isExtended(resource));
  return [...printPages(methods), ...classes, printAll(whole, descriptions)].join("\n");
}

function printClass(
  resource: string,
  resources: readonly string[],
  methods: readonly OperationWithSchemas[],
  all: readonly OperationWithSchemas[],
  descriptions: ReadonlyMap<string, string>,
): string[] {
  const own = methods.filter(({ id }) => resourceOf(id) === resource && !byHand.includes(id));
  if (own.length === 0) return [];
  const parts = resources.filter((other) => resourceOf(other) === resource);
  const about = `${descriptions.get(resource)}`;
  const title = isExtended(resource)
    ? `What is generated of \`chat.${resource}\`.`
    : `\`chat.${resource}\`: ${about.charAt(0).toLowerCase()}${about.slice(1)}`;
  return [
    [
      commentOf([title], ""),
      `export class ${isExtended(resource) ? "Base" : ""}${classOf(resource)} {`,
      "  readonly #api: Api;",
      ...parts.map(
        (part) =>
          `${commentOf([descriptions.get(part) ?? ""], "  ")}\n  readonly ${lastPart(part)}: ${classOf(part)};`,
      ),
      "",
      "  /** @internal */",
      "  constructor(api: Api) {",
      "    this.#api = api;",
      ...parts.map((part) => `    this.${lastPart(part)} = new ${classOf(part)}(api);`),
      "  }",
      ...own.flatMap((operation) => ["", printMethod(operation, all)]),
      "}",
      "",
    ].join("\n"),
  ];
}

/** The class with the resources that are generated as a whole. */
function printAll(resources: readonly string[], descriptions: ReadonlyMap<string, string>): string {
  return [
    "/** The resources that are generated as a whole. */",
    "export class BaseResources {",
    ...resources.map(
      (resource) =>
        `${commentOf([descriptions.get(resource) ?? ""], "  ")}\n  readonly ${resource}: ${classOf(resource)};`,
    ),
    "",
    "  /** @internal */",
    "  constructor(api: Api) {",
    ...resources.map((resource) => `    this.${resource} = new ${classOf(resource)}(api);`),
    "  }",
    "}",
    "",
  ].join("\n");
}

/** A parameter of a method for the body, or for its only field. */
export interface Payload {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isOptional: boolean;
  readonly isSecret: boolean;
  readonly isArray: boolean;
  /** The field of the body. Undefined for the whole body. */
  readonly field: string | undefined;
}

function payloadOf({ id, body, sdk }: OperationWithSchemas): Payload | undefined {
  if (body === undefined) return undefined;
  const type = typeOf(body.schema, "request");
  const schema = findSchema(type);
  const fields = Object.entries(schema.properties ?? {});
  const [only, ...others] = fields;
  const isRequired = sdk.requires === "body";
  if (only === undefined || others.length > 0)
    return {
      name: lastWord(type),
      type,
      description: describe(id, schema) + listFields(schema),
      isOptional: !body.required && !isRequired,
      isSecret: false,
      isArray: false,
      field: undefined,
    };
  const [field, property] = [only[0], requireSchema(only[1])];
  return {
    name: camelCase(field),
    type: typeOf(property, "request"),
    description: describe(`${id} ${field}`, property),
    isOptional: !isRequired && !(body.required && schema.required?.includes(field)),
    isSecret: property.format === "password",
    isArray: property.type === "array",
    field,
  };
}

/** Which fields an object must and may have. */
function listFields({ properties, required = [] }: Schema): string {
  const names = Object.keys(properties ?? {});
  const quote = (found: readonly string[]) => found.map((name) => `\`${name}\``).join(", ");
  const others = names.filter((name) => !required.includes(name));
  const parts = [quote(required), ...(others.length > 0 ? [`optionally ${quote(others)}`] : [])];
  const text = parts.filter(Boolean).join("; ");
  return text && ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function printMethod(operation: OperationWithSchemas, all: readonly OperationWithSchemas[]): string {
  const { id, path } = operation;
  const payload = payloadOf(operation);
  const query = queryTypeOf(operation);
  const parameters = [
    ...path.map(({ name }) => `${camelCase(name)}: string`),
    ...(query ? [isQueryRequired(operation) ? `query: ${query}` : `query: ${query} = {}`] : []),
    ...(payload ? [`${payload.name}${payload.isOptional ? "?" : ""}: ${payload.type}`] : []),
    "options?: CallOptions",
  ];
  const head = `${lastPart(id)}(${parameters.join(", ")}): ${returnTypeOf(operation)} {`;
  const comment = commentOf(paragraphs(operation, payload), "  ");
  return `${comment}\n  ${head}\n${printBody(operation, payload, all)}\n  }`;
}

const isQueryRequired = ({ query, sdk }: OperationWithSchemas) =>
  sdk.requires === "query" || query.some(({ required }) => required);

function printBody(
  operation: OperationWithSchemas,
  payload: Payload | undefined,
  all: readonly OperationWithSchemas[],
): string {
  const { id, path, sdk } = operation;
  const values = path.map(({ name }) => printField(name, camelCase(name)));
  if (isList(operation)) {
    const parts = [
      ...(values.length > 0 ? [`path: { ${values.join(", ")} },`] : []),
      `read: ${printReader(operation)},`,
    ];
    return `    return createPager(this.#api, "${id}", query, options, {\n${parts.map((part) => `      ${part}`).join("\n")}\n    });`;
  }
  const pathPart = values.length > 0 ? [`path: { ${values.join(", ")} }`] : [];
  const parts = [
    ...pathPart,
    ...(queryTypeOf(operation) ? ["query"] : []),
    ...(payload ? [printPayload(payload)] : []),
    ...(payload?.isSecret ? [`secret: ${payload.name}`] : []),
  ];
  const options = sdk.isRetried === false ? "{ maxRetries: 0, ...options }" : "options";
  const call = (name: string, input: readonly string[]) =>
    `this.#api.call("${name}", ${input.length > 0 ? `{ ${input.join(", ")} }` : "{}"}, ${options})`;
  const variant = all.find(({ variantOf }) => variantOf === id);
  return [
    ...(variant ? printVariant(operation, variant, payload, all, call) : []),
    `    return ${call(id, parts)};`,
  ].join("\n");
}

/** The request of a client whose deletions have no body. The path of the variant may have what is in the body otherwise. */
function printVariant(
  operation: OperationWithSchemas,
  variant: OperationWithSchemas,
  payload: Payload | undefined,
  all: readonly OperationWithSchemas[],
  call: (name: string, input: readonly string[]) => string,
): string[] {
  if (payload === undefined) throw new Error(`${operation.id} has a variant, but no body of one field.`);
  const own = operation.path.map(({ name }) => printField(name, camelCase(name)));
  const added = variant.path.find(({ name }) => !operation.path.some((other) => other.name === name));
  const condition = "    if (this.#api.bodilessDeletes)";
  if (added === undefined) {
    const parts = [printPayload(payload), ...(payload.isSecret ? [`secret: ${payload.name}`] : [])];
    return [`${condition} return ${call(variant.id, parts)};`];
  }
  const withValue = (value: string) => [`path: { ${[...own, printField(added.name, value)].join(", ")} }`];
  if (!payload.isArray) return [`${condition} return ${call(variant.id, withValue(payload.name))};`];
  const response = JSON.stringify(operation.response);
  const same = all.find(
    ({ route, path, response: other }) =>
      route.method === "GET" && path.length === own.length && JSON.stringify(other) === response,
  );
  if (same === undefined) throw new Error(`No operation returns what ${operation.id} does.`);
  return [
    `${condition}`,
    "      return deleteEach(",
    `        ${payload.name},`,
    "        options,",
    `        (key, options) => ${call(variant.id, withValue("key"))},`,
    `        () => ${call(same.id, [`path: { ${own.join(", ")} }`])},`,
    "      );",
  ];
}

function printPayload({ name, field, isOptional }: Payload): string {
  if (field === undefined) return name === "body" ? "body" : `body: ${name}`;
  const body = `{ ${printField(field, name)} }`;
  return isOptional ? `body: ${name} === undefined ? undefined : ${body}` : `body: ${body}`;
}

function printReader(operation: OperationWithSchemas): string {
  const reader = readers[operation.id];
  if (reader !== undefined) return reader;
  const items = itemsFieldOf(operation, pageOf(operation));
  return extraFieldsOf(operation).length > 0
    ? `({ ${items}, next, ...extra }) => ({ items: ${items}, next, extra: () => extra })`
    : `({ ${items}, next }) => ({ items: ${items}, next })`;
}

function returnTypeOf(operation: OperationWithSchemas): string {
  const { response } = operation;
  if (!isList(operation)) return `Promise<${response ? typeOf(response, "response") : "void"}>`;
  const item = itemTypeOf(operation);
  return extraFieldsOf(operation).length > 0 ? `Pager<${item}, ${pageTypeOf(operation)}>` : `Pager<${item}>`;
}

function itemTypeOf(operation: OperationWithSchemas): string {
  const page = pageOf(operation);
  return typeOf(itemsOf(requireSchema(page.properties?.[itemsFieldOf(operation, page)] ?? {})), "response");
}

/** The schema of a page: of two forms, that with a cursor. */
function pageOf({ id, response }: OperationWithSchemas): Schema {
  const forms = response && (optionsOf(response) ?? [response]);
  const name = forms?.map(nameOf).find((each) => each !== undefined);
  if (name === undefined) throw new Error(`The pages of ${id} have no schema with a name.`);
  return findSchema(name);
}

/** The fields of a page besides its items and the cursor. */
function extraFieldsOf(operation: OperationWithSchemas): [string, Schema][] {
  const page = pageOf(operation);
  const items = itemsFieldOf(operation, page);
  return Object.entries(page.properties ?? {})
    .filter(([name]) => name !== items && name !== "next")
    .map(([name, property]) => [name, requireSchema(property)]);
}

function pageTypeOf({ id, sdk }: OperationWithSchemas): string {
  return sdk.page ?? `${pascalCase(id)}Page`;
}

/** The types of the pages that have more than their items. */
function printPages(methods: readonly OperationWithSchemas[]): string[] {
  return methods
    .filter((operation) => isList(operation) && !byHand.includes(operation.id))
    .filter((operation) => extraFieldsOf(operation).length > 0)
    .map((operation) => {
      const schema = pageOf(operation);
      const fields = extraFieldsOf(operation).map(([name, property]) => {
        const optional = schema.required?.includes(name) ? "" : "?";
        const comment = commentOf([describe(`${operation.id} ${name}`, property)], "  ");
        return `${comment}\n  readonly ${name}${optional}: ${typeOf(property, "response")};`;
      });
      const comment = commentOf(
        [`A page of \`chat.${operation.id}\`. ${describe(operation.id, schema)}`],
        "",
      );
      const head = `export interface ${pageTypeOf(operation)} extends Page<${itemTypeOf(operation)}> {`;
      return [comment, head, ...fields, "}", ""].join("\n");
    });
}

function describe(location: string, schema: Schema): string {
  const name = nameOf(schema);
  const description = schema.description ?? (name && findSchema(name).description);
  if (!description) throw new Error(`${location} has no description in the contract.`);
  return inWordsOfSdk(description);
}

/** A property with the value of a variable. */
const printField = (name: string, variable: string) => (name === variable ? name : `${name}: ${variable}`);

/** `users` of `users.meta`; nothing of `users`. */
function resourceOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf(".")));
}

const lastPart = (id: string) => id.slice(id.lastIndexOf(".") + 1);
const depthOf = (resource: string) => resource.split(".").length;
const isExtended = (resource: string) => byHand.some((id) => resourceOf(id) === resource);

/** `UserMeta` for `users.meta`. */
function classOf(resource: string): string {
  const words = resource.split(".");
  const name = words.map((word, index) => (index < words.length - 1 ? word.replace(/s$/, "") : word));
  return classNames[resource] ?? name.map(pascalCase).join("");
}
