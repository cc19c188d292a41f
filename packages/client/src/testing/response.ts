import type { ResponseLike } from "../platform";

/** A response of the fake, before it becomes bytes. */
export interface FakeResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The response as a `fetch` returns it. */
export function createResponse(requestId: string, { status, body, headers }: FakeResponse): ResponseLike {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = status < 400 ? "application/json" : "application/problem+json";
  return {
    status,
    headers: new Headers({ "x-request-id": requestId, ...(text && { "content-type": type }), ...headers }),
    text: async () => text,
  };
}

/** The response to an operation that the fake does not imitate. */
export function createNotImitated(operation: string): FakeResponse {
  const detail = `FakeService does not imitate ${operation}. Test it with startTestServer of @madang/server/testing.`;
  return { status: 501, body: { status: 501, code: "not_imitated", detail } };
}
