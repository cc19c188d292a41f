import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { ChatClient } from "@madang/client";
import {
  ExampleTour,
  exampleCall,
  exampleOrder,
  type OperationId,
  openApiDocument,
  operations,
} from "@madang/contract";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DescribedOperation,
  listOperations,
} from "../../src/modules/docs/reference/described-operation";
import { curlSample, fetchSample, sampleBaseUrl } from "../../src/modules/docs/reference/http-samples";
import { masterKey, startServer, type TestServer } from "../support/server";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const described = new Map(listOperations(openApiDocument()).map((operation) => [operation.id, operation]));

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await chat.users.create({ user_id: "park_03", name: "Park" });
});
afterAll(() => server.close());

test("the samples cover every operation", () => {
  expect([...new Set(exampleOrder)].sort()).toEqual(operations.map(({ id }) => id).sort());
});

test("the SDK samples compile", () => {
  const samples = [...described.keys()].map((id) => `async () => {\n${sdkSample(id)}\n}`);
  const source = `import { ChatClient } from "@madang/client";
declare const chat: ChatClient;
export const samples = [${samples.join(",\n")}];`;
  expect(compile(source)).toEqual([]);
});

// They run in this order, because each uses what earlier ones created.
describe.skipIf(!hasCurl)("through curl", () => {
  const tour = new ExampleTour();
  test.each(exampleOrder)("%s works as shown", async (id) => {
    await prepare(id, tour);
    const sample = tour.replaceIn(curlSample(requireDescribed(id)).replaceAll(sampleBaseUrl, server.url));
    const options = { env: { ...process.env, MADANG_API_KEY: masterKey } };
    const command = sample.replace("curl ", "curl --silent --show-error --fail-with-body ");
    const { stdout } = await promisify(execFile)("sh", ["-c", command], options);
    tour.accept(tour.prepare(id).operation, stdout === "" ? undefined : JSON.parse(stdout));
  });
});
describe("through the SDK", () => {
  const tour = new ExampleTour();
  test.each(exampleOrder)("%s works as shown", async (id) => {
    await prepare(id, tour);
    const { operation } = tour.prepare(id);
    const { url: baseUrl } = server;
    const { variantOf } = operation;
    const sent: string[] = [];
    let body: unknown;
    const chat = new ChatClient({
      baseUrl,
      apiKey: masterKey,
      maxRetries: 0,
      bodilessDeletes: variantOf !== undefined,
      onRequest: ({ operation }) => sent.push(operation),
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const text = await response.clone().text();
        body = text === "" ? undefined : JSON.parse(text);
        return response;
      },
    });
    await runScript(tour.replaceIn(sdkSample(id)), chat);
    // Its sample replays what could not be delivered: here, nothing.
    expect(sent).toContain(id === "webhooks.replay" ? "webhooks.attempts" : (variantOf ?? id));
    tour.accept(operation, body);
  });
});
describe("through fetch", () => {
  const tour = new ExampleTour();
  test.each(exampleOrder)("%s works as shown", async (id) => {
    await prepare(id, tour);
    const sample = fetchSample(requireDescribed(id)).replaceAll(sampleBaseUrl, server.url);
    tour.accept(tour.prepare(id).operation, await runScript(tour.replaceIn(sample)));
  });
});

/** The first example of a send is complete, so that nothing can be appended to it. */
async function prepare(id: OperationId, tour: ExampleTour): Promise<void> {
  if (id !== "messages.append") return;
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  const { message_id } = await chat.messages.send("room_1", {
    user_id: "kim_01",
    type: "text",
    streaming: true,
  });
  tour.assign(exampleCall(id).params.message_id ?? "", message_id);
}

const sdkSample = (id: DescribedOperation["id"]) => requireDescribed(id).operation["x-codeSamples"][0].source;

function requireDescribed(id: DescribedOperation["id"]): DescribedOperation {
  const operation = described.get(id);
  if (operation === undefined) throw new Error(`${id} is not described.`);
  return operation;
}

/** Runs a sample and returns its `result`, if it has one. */
async function runScript(sample: string, chat?: ChatClient): Promise<unknown> {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  const environment = { env: { MADANG_API_KEY: masterKey } };
  const quietConsole = { log: () => undefined };
  const body = `${sample}\nreturn typeof result === "undefined" ? undefined : result;`;
  return new AsyncFunction("chat", "process", "console", body)(chat, environment, quietConsole);
}

/** The TypeScript diagnostics for a module beside this file. The module is not written to disk. */
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
