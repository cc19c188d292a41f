import { type ErrorCode, errorCodes, event, eventStream, eventTypes, problem } from "@madang/contract";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { call } from "../support/call";
import { masterKey, startServer, type TestServer } from "../support/server";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await createUser("first_01");
});
const opened: AbortController[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.abort();
});
afterAll(() => server.close());

const createUser = (user_id: string) =>
  call(server.url, "POST", "/v1/users", { body: { user_id, name: "김민준\nKim" } });

async function openStream(query: string, headers: Readonly<Record<string, string>> = {}, url = server.url) {
  const stream = new AbortController();
  opened.push(stream);
  return fetch(`${url}/v1/events/stream${query}`, {
    headers: { Authorization: `Bearer ${masterKey}`, ...headers },
    signal: stream.signal,
  });
}

/** The blocks of a stream, each as the lines between two empty lines. */
async function* readBlocks({ body }: Response): AsyncGenerator<string[]> {
  let rest = "";
  for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks.map((block) => block.split("\n"));
  }
}

/** The event with this user, which has its cursor. */
async function readEvent(response: Response, userId: string) {
  for await (const lines of readBlocks(response)) {
    if (!lines.some((line) => line.includes(`"${userId}"`))) continue;
    const [id = "", type = "", data = "", ...others] = lines;
    expect(others).toEqual([]);
    return {
      id: readField("id", id),
      type: readField("event", type),
      data: JSON.parse(readField("data", data)),
    };
  }
  throw new Error("The stream ended.");
}

function readField(field: string, line: string): string {
  expect(line).toMatch(new RegExp(`^${field}: .`));
  return line.slice(field.length + 2);
}

test("an event is its cursor, its type and the event of the list on one line", async () => {
  const response = await openStream("");
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
  ]);
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("x-request-id")).not.toBeNull();
  const { id, type, data } = await readEvent(response, "first_01");
  expect(type).toBe("user.created");
  expect(event.parse(data)).toEqual(data);
  const [listed] = (await call(server.url, "GET", "/v1/events?limit=1")).body.events;
  expect(data).toEqual(listed);
  const { body } = await call(server.url, "GET", `/v1/events?after=${id}`);
  expect(body.events).toEqual([]);
});

test("with a cursor or `latest`, the first block is the cursor without an event", async () => {
  const blocks = readBlocks(await openStream("?after=latest"));
  const { value: [line = "", ...others] = [] } = await blocks.next();
  expect(others).toEqual([]);
  const { status } = await call(server.url, "GET", `/v1/events?after=${readField("id", line)}`);
  expect(status).toBe(200);
});

test("a stream without events gets its cursor every 15 seconds at the latest", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const quiet = await startServer();
  onTestFinished(() => quiet.close());
  onTestFinished(() => void vi.useRealTimers());
  const blocks = readBlocks(await openStream("?after=latest", {}, quiet.url));
  await blocks.next();
  await call(quiet.url, "POST", "/v1/users", { body: { user_id: "first_01", name: "Kim" } });
  const { value: [id] = [] } = await blocks.next();
  // The stream has an event: now it is read to its end.
  vi.advanceTimersByTime(15_000);
  expect((await blocks.next()).value).toEqual([id]);
});

test("Last-Event-ID resumes a stream after its cursor, whatever `after` says", async () => {
  const { id } = await readEvent(await openStream(""), "first_01");
  await createUser("second_01");
  await createUser("third_01");
  const second = await readEvent(await openStream("", { "Last-Event-ID": id }), "second_01");
  await createUser("fourth_01");
  const resumed = await openStream("?after=latest", { "Last-Event-ID": second.id });
  expect((await readEvent(resumed, "third_01")).type).toBe("user.created");
  // An empty one counts as absent, as in the first request of a client that always sends the header.
  expect((await readEvent(await openStream("", { "Last-Event-ID": "" }), "first_01")).id).toBe(id);
});

const declared = Object.keys(eventStream.stream.responses).map(Number);

test.each<
  [name: string, query: string, headers: Readonly<Record<string, string>>, status: number, code: ErrorCode]
>([
  ["without a key", "", { Authorization: "" }, 401, "unauthenticated"],
  ["with an unknown parameter", "?limit=1", {}, 400, "invalid_request"],
  ["with an unknown type", `?types=${eventTypes[0]},user.renamed`, {}, 400, "invalid_request"],
  ["with a forged cursor", "?after=forged", {}, 400, "invalid_cursor"],
  ["with a forged Last-Event-ID", "", { "Last-Event-ID": "forged" }, 400, "invalid_cursor"],
])("a request %s gets problem details instead of a stream", async (_name, query, headers, status, code) => {
  const response = await openStream(query, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    status,
    "application/problem+json; charset=utf-8",
  ]);
  expect(problem(errorCodes).parse(await response.json())).toMatchObject({ status, code });
  expect(declared).toContain(status);
});
