import { headersOf } from "../load/load";
import { type Call, type Operation, withoutSide } from "../operations/operation";
import type { Side } from "../servers/side";
import type { Target } from "../servers/target";

const samples = 5;

interface Checked extends Target {
  readonly side: Side;
}

/**
 * Sends the same requests to both sides, and describes the first difference of their responses: status, headers and
 * every byte of the body, except for the times and message ids of writes. Requests with an idempotency key are sent
 * twice.
 */
export async function findDifference(
  operation: Operation,
  subject: Checked,
  baseline: Checked,
): Promise<string | undefined> {
  for (let n = 0; n < samples; n += 1) {
    const actual = await sendAll(subject, operation, n);
    const expected = await sendAll(baseline, operation, n);
    if (actual !== expected) return describe(actual, expected);
    if (/^[^2]/m.test(actual)) return `both failed: ${cut(actual)}`;
  }
  return undefined;
}

/** The responses to the calls of a turn, one line each. */
async function sendAll(
  { side, server, headers, settings }: Checked,
  { turn }: Operation,
  n: number,
): Promise<string> {
  const lines: string[] = [];
  for (const call of turn(n, side, settings.sizes)) {
    const sent: Record<string, string> = { ...headers, ...headersOf(call, side) };
    const first = await exchange(server.url, call, sent);
    lines.push(describeResponse(call, first));
    if (sent["idempotency-key"] === undefined) continue;
    const second = await exchange(server.url, call, sent);
    lines.push(`${second.status} replayed: ${second.isReplayed}, same body: ${second.text === first.text}`);
  }
  return lines.join("\n");
}

async function exchange(url: string, { method, path, body }: Call, headers: Record<string, string>) {
  const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    isReplayed: response.headers.get("idempotent-replayed"),
    text: await response.text(),
  };
}

function describeResponse({ method }: Call, response: Awaited<ReturnType<typeof exchange>>): string {
  const { status, type, text } = response;
  const body = method === "GET" ? text : withoutSide(text).replaceAll(changing, '"$1":0');
  return `${status} ${type} ${body}`;
}

const changing = /"(created_at|updated_at|message_id)":(\d{13}|"[\d-]+")/g;

/** Both responses, from shortly before the first difference. */
function describe(actual: string, expected: string): string {
  let index = 0;
  while (actual[index] === expected[index]) index += 1;
  const from = Math.max(0, index - 40);
  return `responses differ at ${index}:\n  ${cut(actual.slice(from))}\n  ${cut(expected.slice(from))}`;
}

const cut = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
