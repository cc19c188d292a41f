import { type OperationId, operations } from "@madang/contract";
import type { Response as RecordedResponse, Request } from "@madang/contract-tests";
import { masterKey } from "./server";

export interface Sent {
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // The tests read bodies of every shape and assert on the values.
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Sends one request over a real socket, with the master key by default. */
export function call(
  url: string,
  method: string,
  path: string,
  { key = masterKey, idempotencyKey, body, headers = {} }: Sent = {},
): Promise<Reply> {
  return exchange(url + path, method, body === undefined ? undefined : JSON.stringify(body), {
    Authorization: `Bearer ${key}`,
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    ...headers,
  });
}

/** Sends a request again while the response says that it only waited for earlier ones, which takes no effect: the machine is busy. */
export async function callPatiently(...request: Parameters<typeof call>): Promise<Reply> {
  for (;;) {
    const reply = await call(...request);
    if (reply.status !== 503 || !hasOnlyWaited(reply.body.detail)) return reply;
  }
}

/** Whether the text of an error says that the request waited too long for earlier ones. Such a request took no effect. */
export const hasOnlyWaited = (text: string) =>
  text.includes("The server is busy: the request waited too long");

/** Sends the request of an interaction to its operation, with only the headers that the request names. */
export async function send(url: string, operation: OperationId, request: Request): Promise<RecordedResponse> {
  const route = operations.find(({ id }) => id === operation)?.route;
  if (route === undefined) throw new Error(`The contract has no operation ${operation}.`);
  const { params = {}, query, rawQuery = formatQuery(query), headers = {} } = request;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const reply = await exchange(url + path + (rawQuery && `?${rawQuery}`), route.method, body, headers);
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    ...(reply.body !== undefined && { body: reply.body }),
  };
}

async function exchange(
  url: string,
  method: string,
  body: RequestInit["body"] | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    // `Headers`, because a request may spell the name of this one differently.
    headers: withType(new Headers(headers), body !== undefined),
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function withType(headers: Headers, hasBody: boolean): Headers {
  if (hasBody && !headers.has("content-type")) headers.set("content-type", "application/json");
  return headers;
}

/** An array becomes a repeated parameter. */
function formatQuery(query: Request["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) search.append(name, value);
  return search.toString();
}
