import { openApiDocument, operationsWithSchemas } from "@madang/contract";
import { expect, test } from "vitest";
import { compile, readDeclarations } from "./support/declarations";

// What an editor shows of the built types.
const { exported, members } = readDeclarations();
const methods = members.flatMap(({ method, ...member }) => (method ? [{ ...member, ...method }] : []));
const resources =
  /^(?:Base)?(Users|UserMeta|Channels|ChannelMembers|ChannelManagers|ChannelBans|Reports|Messages|Exports|Keys|Webhooks|Events|Imports)\./;

test("everything that is exported, every property and every field has a sentence", () => {
  expect(members.length).toBeGreaterThan(150);
  const silent = [...exported, ...members].filter(({ text }) => text === "").map(({ name }) => name);
  // The fields of this type are the names of the methods.
  expect(silent.filter((name) => !name.startsWith("ErrorCodes."))).toEqual([]);
});

test("the hover of every method of a resource is at most 150 characters long and begins with a sentence", () => {
  const hovers = methods.filter(({ name }) => resources.test(name));
  expect(hovers.length).toBeGreaterThanOrEqual(24);
  for (const { signature, text } of hovers) {
    expect(signature.length, signature).toBeLessThanOrEqual(150);
    expect(text, signature).toMatch(/^[A-Z].*[.:]/);
  }
});

test("every parameter of every method has a sentence", () => {
  const silent = methods.flatMap(({ name, parameters }) =>
    parameters.filter(({ text }) => text === "").map((parameter) => `${name} ${parameter.name}`),
  );
  expect(silent).toEqual([]);
});

test("the hovers of a list and of its pageSize state the bounds of the contract", () => {
  const operations = operationsWithSchemas(openApiDocument());
  const lists = methods.filter(({ returns }) => returns.startsWith("Pager<"));
  expect(lists.length).toBeGreaterThan(2);
  for (const { name, parameters } of lists) {
    const id = name
      .replace(/^Base/, "")
      .replace(/^Channel(?=[A-Z])/, "channels.")
      .replace(/^User(?=[A-Z])/, "users.")
      .replace(/(?<=^|\.)[A-Z]/, (letter) => letter.toLowerCase());
    const operation = operations.find((one) => `.${one.id}`.endsWith(`.${id}`));
    const limit = operation?.query.find((parameter) => parameter.name === "limit")?.schema;
    // Its pages have no size that can be asked for.
    if (id === "channels.pins") continue;
    const rule = `: ${format(limit?.minimum)} to ${format(limit?.maximum)}, default ${format(limit?.default)}.`;
    const page = parameters.find((parameter) => parameter.describe("pageSize") !== "");
    expect(page?.describe("pageSize"), id).toContain(rule);
    expect(page?.text.replace(/\s+/g, " "), id).toContain(rule);
  }
});

test("every example compiles under strict in a program that has a client", () => {
  const examples = [...exported, ...members].flatMap((member) => member.examples);
  expect(examples.length).toBeGreaterThan(30);
  const program = [
    'import { ChatClient, createRandomId, ids, isApiError, isChatError } from "@madang/client";',
    'import { verifyHook, verifyWebhook } from "@madang/client/webhooks";',
    'import { FaultyFetch } from "@madang/client/testing";',
    "declare const chat: ChatClient, faulty: FaultyFetch, error: unknown;",
    "declare const request: Request, secret: string;",
    ...examples.map((code, index) => `export async function example${index}() {\n${code}\n}`),
  ];
  expect(compile("examples.mts", program.join("\n"))).toEqual([]);
});

function format(value: unknown): string {
  return Number(value).toLocaleString("en-US");
}
