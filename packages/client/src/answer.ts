import type { Answer, Exchange } from "./attempts";
import { ParseError } from "./errors";
import { redact } from "./secrets";

/** The JSON of an answer. One that is none is an error with its beginning, never a value that looks like an answer. */
export function parseAnswer(answer: Answer, exchange: Exchange): object {
  const type = answer.headers.get("content-type") ?? "no content type";
  if (answer.text === "") throw unreadable("an empty body where one belongs", answer, exchange);
  if (!/[/+]json\b/i.test(type)) throw unreadable(`${type.split(";")[0]} instead of JSON`, answer, exchange);
  try {
    const data: unknown = JSON.parse(answer.text);
    if (typeof data === "object" && data !== null) return data;
  } catch {}
  throw unreadable("a body that is no JSON object or array", answer, exchange);
}

/** An answer that was understood by nobody: what it is, and how it begins. */
export function unreadable(what: string, answer: Answer, { operation, secrets }: Exchange): ParseError {
  const { status, attempts, requestId } = answer;
  const body = redact(answer.text, secrets).slice(0, 200);
  const trail = requestId ? `, request ${requestId}` : "";
  return new ParseError(
    "parse",
    `${operation}: the server answered ${what} (${status}${trail})${body && `: ${body}`}`,
    {
      ...{ operation, status, attempts, body },
      ...(requestId !== undefined && { requestId }),
    },
  );
}
