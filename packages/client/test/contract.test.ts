import { type OperationId, operations } from "@madang/contract";
import {
  type Interaction,
  type Key,
  listInteractions,
  problem,
  type Response as Recorded,
  requireAccepted,
  serverStateProblems,
} from "@madang/contract-tests";
import { describe, expect, test } from "vitest";
import { ChatClient } from "../src/client";
import { isChatError } from "../src/errors/chat-error";
import type { FetchInit } from "../src/platform";
import { callOperation, type Sendable, toExpected } from "./call-operation";
import { canSend } from "./can-send";

const operationOf = new Map(operations.map((operation) => [operation.id, operation]));

/** What the SDK sent, in the form of the interactions. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly authorization: string | undefined;
}

/** Calls the SDK with a recorded request, and a `fetch` that returns the recorded response. Undefined: the SDK cannot send it. */
async function play({ operation, request = {}, response }: Named) {
  const route = operationOf.get(operation);
  if (route === undefined || !canSend(route, request)) return undefined;
  const sent: Sent[] = [];
  const chat = new ChatClient({
    baseUrl: "https://chat.example.com",
    apiKey: keyOf(request.key),
    maxRetries: 0,
    bodilessDeletes: route.variantOf !== undefined,
    fetch: async (url, init) => {
      sent.push(record(url, init));
      return createResponse(response);
    },
  });
  // `canSend` excludes repeated parameters.
  const sendable = request as Sendable;
  const run = callOperation(chat, route, sendable);
  if (run === undefined) return undefined;
  const outcome = await Promise.resolve(run()).then(
    (value: unknown) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return {
    ...outcome,
    sent,
    expected: response.status < 300 ? toExpected(route, response, sendable) : undefined,
  };
}

type Named = Interaction & { operation: OperationId };

const recorded = listInteractions();
const isSent = new Map(
  await Promise.all(recorded.map(async (one) => [one, (await play(one)) !== undefined] as const)),
);
const sendable = recorded.filter((one) => isSent.get(one));

describe.each([...new Set(sendable.map(({ operation }) => operation))])("%s", (name) => {
  test.each(sendable.filter(({ operation }) => operation === name))("$name", async (interaction) => {
    const { response } = interaction;
    const played = await play(interaction);
    if (isChatError(played?.error) && played.error.kind === "validation") {
      // A request that the SDK rejects is also rejected by the service, and nothing is sent.
      expect(played.sent).toEqual([]);
      expect(response).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      return;
    }
    expect(played?.sent).toStrictEqual([expectSent(interaction)]);
    expect(played?.value).toStrictEqual(played?.expected);
    expectError(played?.error, response);
  });
});

describe.each(operations)("$id", ({ id, route }) => {
  const codes = { ...serverStateProblems, idempotency_key_in_use: problem(409, "idempotency_key_in_use") };
  const possible = Object.entries(codes).filter(([, { status }]) => `${status}` in route.responses);
  test.each(possible)("reports %s", async (_, response) => {
    const played = await play({ ...requireAccepted(id), operation: id, response });
    expect(played?.sent).toHaveLength(1);
    expectError(played?.error, response);
  });
});

test.each(operations.filter(({ variantOf }) => variantOf === undefined))(
  "$id can be called by its name",
  async ({ id }) => {
    const { request = {}, response } = requireAccepted(id);
    const { params: path, query, key } = request as Sendable;
    // Every body of the contract is an object.
    const body = request.body as object | undefined;
    const sent: Sent[] = [];
    const chat = new ChatClient({
      baseUrl: "https://chat.example.com",
      apiKey: keyOf(key),
      fetch: async (url, init) => {
        sent.push(record(url, init));
        return createResponse(response);
      },
    });
    // A variant is not in the type.
    const operation = id as Parameters<typeof chat.request>[0];
    expect(await chat.request(operation, { path, query, body })).toStrictEqual(response.body);
    expect(sent).toStrictEqual([expectSent({ operation: id, ...requireAccepted(id) })]);
  },
);

test("a request that the service accepts and the SDK cannot send is only another spelling of one that it can", () => {
  const unsendable = recorded.filter(
    (one) => one.response.status < 300 && !isSent.get(one) && !isAboutEncoding(one),
  );
  expect(unsendable.map(({ operation, name }) => `${operation} ${name}`)).toEqual([
    "users.list accepts limit 05, a leading zero",
    "users.list accepts parameters that agree with next",
    "users.createToken creates a token for an empty object",
    "users.meta.merge changes nothing without meta",
    "users.meta.merge changes nothing without a body",
    "users.channels accepts unread that equals that of next",
    "channels.members.markRead marks everything so far for an empty body",
    "channels.meta.merge changes nothing without meta",
    "channels.meta.merge changes nothing without a body",
    "exports.messages accepts limit 0100, a leading zero",
    "exports.messages accepts parameters that agree with next",
  ]);
});

/** The SDK decides how the key is sent, and how query and body are encoded. */
function isAboutEncoding({ request = {} }: Interaction): boolean {
  return request.raw !== undefined || request.rawQuery !== undefined || request.key === "none";
}

function keyOf(key: Key = "master"): string {
  return `the_${key}_key`;
}

function record(url: string, { method, headers, body }: FetchInit): Sent {
  const { pathname, searchParams } = new URL(url);
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: body === undefined ? undefined : JSON.parse(String(body)),
    authorization: headers.authorization,
  };
}

function expectSent({ operation, request = {} }: Named): Sent {
  const { method = "", path = "" } = operationOf.get(operation)?.route ?? {};
  const { params = {}, query = {}, body, key }: Sendable = request as Sendable;
  return {
    method,
    path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
    query,
    // JSON has no fields that are undefined.
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    authorization: `Bearer ${keyOf(key)}`,
  };
}

function createResponse({ status, headers, body }: Recorded): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      "content-type": `application/${status < 300 ? "json" : "problem+json"}; charset=utf-8`,
      "x-request-id": "request-1",
      ...headers,
    },
  });
}

const classOf: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionError",
  404: "NotFoundError",
  408: "ApiError",
  409: "ConflictError",
  410: "ApiError",
  413: "ApiError",
  415: "ApiError",
  422: "ApiError",
  429: "RateLimitError",
  500: "ServerError",
  503: "ServerError",
};

function expectError(error: unknown, { status, body }: Recorded): void {
  if (status < 300) {
    expect(error).toBeUndefined();
    return;
  }
  const { code, detail, errors, current } = Object(body);
  expect(isChatError(error)).toBe(true);
  const expected = { name: classOf[status], kind: "api", status, code, detail, requestId: "request-1" };
  expect(error).toMatchObject({ ...expected, ...(errors && { errors }), ...(current && { current }) });
}
