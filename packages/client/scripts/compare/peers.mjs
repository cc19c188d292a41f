// The compared SDKs, each behind the same interface: create a client, get one item, list all.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export const key = "sk_very_secret_key";

/** `path` is where the packages of the peers are installed; `send` is the fetch that leads to the hostile server. */
export async function createPeers(path, send) {
  const load = async (name) => import(pathToFileURL(createRequire(path).resolve(name)).href);
  return {
    madang: await createMadang(send),
    openai: await createOpenai(load, send),
    stripe: await createStripe(load, send),
    notion: await createNotion(load, send),
    octokit: await createOctokit(load, send),
  };
}

async function createMadang(send) {
  const { ChatClient } = await import("../../dist/index.js");
  const chat = new ChatClient({ baseUrl: "http://sdk.test", apiKey: key, fetch: send, timeout: 300 });
  return { get: (id) => chat.users.get(id), walk: () => chat.users.list() };
}

async function createOpenai(load, send) {
  const { OpenAI } = await load("openai");
  const client = new OpenAI({ apiKey: key, baseURL: "http://sdk.test/v1", fetch: send, timeout: 300 });
  return { get: (id) => client.models.retrieve(id), walk: () => client.chat.completions.list() };
}

async function createStripe(load, send) {
  const { default: Stripe } = await load("stripe");
  const httpClient = Stripe.createFetchHttpClient(send);
  const client = new Stripe(key, { httpClient, timeout: 300, maxNetworkRetries: 2 });
  return { get: (id) => client.customers.retrieve(id), walk: () => client.customers.list() };
}

async function createNotion(load, send) {
  const { Client, iteratePaginatedAPI, LogLevel } = await load("@notionhq/client");
  const client = new Client({ auth: key, fetch: send, timeoutMs: 300, logLevel: LogLevel.ERROR });
  return {
    get: (id) => client.users.retrieve({ user_id: id }),
    walk: () => iteratePaginatedAPI(client.users.list, {}),
  };
}

async function createOctokit(load, send) {
  const [{ Octokit }, { retry }, { paginateRest }] = await Promise.all(
    ["@octokit/core", "@octokit/plugin-retry", "@octokit/plugin-paginate-rest"].map(load),
  );
  const client = new (Octokit.plugin(retry, paginateRest))({ auth: key, request: { fetch: send } });
  return {
    get: (username) => client.request("GET /users/{username}", { username }),
    async *walk() {
      for await (const { data } of client.paginate.iterator("GET /users")) yield* data;
    },
  };
}
