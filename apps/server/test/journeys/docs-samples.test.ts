import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { ChatClient } from "@madang/client";
import { type OperationId, openApiDocument, operations } from "@madang/contract";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listOperations } from "../../src/docs/described-operation";
import { curlSample, fetchSample, sampleBaseUrl } from "../../src/docs/http-samples";
import { sdkSample } from "../../src/docs/sdk-samples";
import { masterKey, startServer, type TestServer } from "../support/server";

/** An order in which every sample finds what it speaks of. */
const story: readonly OperationId[] = [
  ...([
    "users.create",
    "users.list",
    "users.get",
    "users.update",
    "users.meta.merge",
    "users.meta.delete",
  ] as const),
  ...(["channels.create", "channels.get", "channels.list", "channels.update"] as const),
  ...([
    "channels.members.join",
    "channels.members.list",
    "channels.managers.add",
    "channels.managers.list",
    "channels.freeze",
  ] as const),
  ...([
    "messages.send",
    "exports.messages",
    "channels.managers.remove",
    "channels.managers.removeByPath",
    "users.meta.deleteKey",
    "channels.members.leave",
  ] as const),
  ...(["keys.create", "keys.list", "keys.delete", "keys.revoke", "channels.delete", "users.delete"] as const),
];
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const exampleKey = /sk_EXAMPLE-0+/;
const described = new Map(listOperations(openApiDocument()).map((operation) => [operation.id, operation]));

let server: TestServer;
let chat: ChatClient;

beforeAll(async () => {
  server = await startServer();
  chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
  await chat.users.create({ user_id: "park_03", name: "Park" });
});
afterAll(() => server.close());

test("the story tells every operation", () => {
  expect([...story].sort()).toEqual(operations.map(({ id }) => id).sort());
});

test("the calls through the SDK compile", () => {
  const samples = story.map((id) => `async () => {\n${sdkSample(id)}\n}`);
  const source = `import { ChatClient } from "@madang/client";
declare const chat: ChatClient, key: string;
export const samples = [${samples.join(",\n")}];`;
  expect(compile(source)).toEqual([]);
});

// They run in the order of the story, each after the one before it.
describe.skipIf(!hasCurl)("through curl", () => {
  test.each(story)("%s does what the page says", (id) => run("curl", id));
});
describe("through the SDK", () => {
  test.each(story)("%s does what the page says", (id) => run("SDK", id));
});
describe("through fetch", () => {
  test.each(story)("%s does what the page says", (id) => run("fetch", id));
});

async function run(kind: "curl" | "SDK" | "fetch", id: OperationId): Promise<void> {
  const needsKey = id === "keys.delete" || id === "keys.revoke";
  const key = needsKey ? (await chat.keys.create()).key : "";
  if (id === "channels.managers.removeByPath") await chat.channels.managers.add("room_1", "kim_01");
  const operation = described.get(id);
  if (operation === undefined) throw new Error(`${id} is not described.`);
  if (kind === "SDK") return runScript(sdkSample(id), key);
  const sample = kind === "curl" ? curlSample(operation) : fetchSample(operation);
  const here = sample.replaceAll(sampleBaseUrl, server.url).replace(exampleKey, key);
  if (kind === "fetch") return runScript(here, key);
  const options = { env: { ...process.env, MADANG_API_KEY: masterKey } };
  await promisify(execFile)(
    "sh",
    ["-c", here.replace("curl ", "curl --silent --show-error --fail-with-body ")],
    options,
  );
}

async function runScript(sample: string, key: string): Promise<void> {
  const make = Object.getPrototypeOf(async () => {}).constructor;
  const environment = { env: { MADANG_API_KEY: masterKey } };
  const silent = { log: () => undefined };
  await make("chat", "key", "process", "console", `{\n${sample}\n}`)(chat, key, environment, silent);
}

/** What TypeScript says of a module that stands beside this file, without writing it. */
function compile(source: string): string[] {
  const name = `${import.meta.dirname}/samples.ts`;
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, source, ts.ScriptTarget.ESNext) : read(file, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
