import { alike, type Call, type Operation, type Side } from "./operations/operation";
import type { Sizes } from "./world";

const samples = 5;

/**
 * Sends the same requests to both sides, and tells the first difference of their answers: status, content type and
 * every byte of the body, save the times and message ids that no two calls can share.
 */
export async function findDifference(
  operation: Operation,
  sizes: Sizes,
  urls: Readonly<Record<Side, string>>,
  key: string,
): Promise<string | undefined> {
  for (let n = 0; n < samples; n += 1) {
    const shown = await askAll(urls.server, key, operation.turn(n, "server", sizes));
    const expected = await askAll(urls.ceiling, key, operation.turn(n, "ceiling", sizes));
    if (shown !== expected) return describe(shown, expected);
    if (/^[^2]/m.test(shown)) return `both refused: ${cut(shown)}`;
  }
  return undefined;
}

/** The answers to the calls of a turn, a line each. */
async function askAll(url: string, key: string, calls: readonly Call[]): Promise<string> {
  const answers: string[] = [];
  for (const call of calls) answers.push(await ask(url, key, call));
  return answers.join("\n");
}

async function ask(url: string, key: string, { method, path, body }: Call): Promise<string> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(url + path, init);
  const text = await response.text();
  return `${response.status} ${response.headers.get("content-type")} ${method === "GET" ? text : alikeWrites(text)}`;
}

const alikeWrites = (text: string) =>
  alike(text)
    .replaceAll(/"(created|updated)_at":\d{13}/g, '"$1_at":0')
    .replaceAll(/"message_id":"\d+"/g, '"message_id":"0"');

/** Both answers, from shortly before the place where they part. */
function describe(shown: string, expected: string): string {
  let place = 0;
  while (shown[place] === expected[place]) place += 1;
  const from = Math.max(0, place - 40);
  return `the server answered at ${place}\n  ${cut(shown.slice(from))}\nthe ceiling\n  ${cut(expected.slice(from))}`;
}

const cut = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
