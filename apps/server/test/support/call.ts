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
export async function call(
  url: string,
  method: string,
  path: string,
  { key = masterKey, idempotencyKey, body, headers = {} }: Sent = {},
): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
