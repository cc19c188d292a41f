import { ChatClient } from "@madang/client";
import { type ExampleCall, ExampleTour, exampleCall, exampleOrder, sdkArguments } from "@madang/contract";
import createClient from "openapi-fetch";
import { client } from "../generated/hey-api/client.gen.ts";
import * as heyApi from "../generated/hey-api/sdk.gen.ts";
import type { paths } from "../generated/openapi.d.ts";

/** Calls every operation with the examples of the contract. */
export type Tour = (baseUrl: string, key: string, fetch: typeof globalThis.fetch) => Promise<void>;

/** Uses openapi-fetch with the types that openapi-typescript generated. */
export const tourWithOpenapiFetch: Tour = async (baseUrl, key, fetch) => {
  const generated = createClient<paths>({ baseUrl, fetch, headers: { Authorization: `Bearer ${key}` } });
  const chat = await prepare(baseUrl, key, fetch);
  await tour(chat, async ({ operation: { id, route }, params, query, body }) => {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    // The method and the path are known only here, so the generated types cannot check this call; typed-calls.ts does.
    const call = generated[route.method as "GET"] as unknown as DynamicCall;
    const { data, response } = await call(path, { params: { path: params, query }, body });
    if (!response.ok) throw new Error(`${id} got ${response.status}.`);
    return data;
  });
};

type DynamicCall = (path: string, init: object) => Promise<{ data?: unknown; response: Response }>;

/** Uses the functions that @hey-api/openapi-ts generated. */
export const tourWithHeyApi: Tour = async (baseUrl, key, fetch) => {
  client.setConfig({ baseUrl, fetch, auth: key, throwOnError: true });
  const chat = await prepare(baseUrl, key, fetch);
  const functions = new Map<string, unknown>(Object.entries(heyApi));
  await tour(chat, async ({ operation: { id }, params, query, body }) => {
    const name = id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
    const call = functions.get(name);
    if (typeof call !== "function") throw new Error(`The generated client has no ${name}.`);
    return (await call({ path: params, query, body })).data;
  });
};

/** Uses the SDK. A client with `bodilessDeletes` sends the variants of operations. */
export const tourWithSdk: Tour = async (baseUrl, key, fetch) => {
  const options = { baseUrl, apiKey: key, fetch, maxRetries: 0 };
  const chat = new ChatClient(options);
  const bodiless = new ChatClient({ ...options, bodilessDeletes: true });
  await prepare(baseUrl, key, fetch);
  await tour(chat, async ({ operation: { variantOf } }, sdkCall) => {
    const [method = "", ...resource] = sdkCall.operation.id.split(".").toReversed();
    let target: unknown = variantOf === undefined ? chat : bodiless;
    for (const name of resource.toReversed()) target = Object(target)[name];
    const result = Object(target)[method](...sdkArguments(sdkCall));
    if ("firstPage" in result) return result.firstPage();
    // A generator sends its requests as its results are read.
    return result instanceof Promise ? result : { results: await readAll(result) };
  });
};

/** Creates the second user of the examples. */
async function prepare(baseUrl: string, key: string, fetch: typeof globalThis.fetch): Promise<ChatClient> {
  const chat = new ChatClient({ baseUrl, apiKey: key, fetch });
  await chat.users.create({ user_id: "park_03", name: "Park" }).catch(() => undefined);
  return chat;
}

/** `sdkCall` is the call of the original operation of a variant: the SDK has one method for both. */
async function tour(
  chat: ChatClient,
  send: (call: ExampleCall, sdkCall: ExampleCall) => Promise<unknown>,
): Promise<void> {
  const examples = new ExampleTour();
  for (const id of exampleOrder) {
    if (id === "messages.append") {
      // The first example of a send is complete, so that nothing can be appended to it.
      const begun = await chat.messages.send("room_1", { user_id: "kim_01", type: "text", streaming: true });
      examples.assign(exampleCall(id).params.message_id ?? "", begun.message_id);
    }
    const call = examples.prepare(id);
    const { variantOf } = call.operation;
    examples.accept(call.operation, await send(call, variantOf ? examples.prepare(variantOf) : call));
  }
}

async function readAll(results: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const result of results) all.push(result);
  return all;
}
