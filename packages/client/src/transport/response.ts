import { ParseError } from "../errors/errors";
import { transfer } from "../errors/fetch-failure";
import { redact } from "../errors/secrets";
import { isByteStream, type ResponseLike } from "../platform";
import type { Shape } from "../route";
import type { OutgoingRequest } from "./request";

/** A complete response, whatever its status. */
export interface ReceivedResponse {
  readonly request: OutgoingRequest;
  readonly status: number;
  readonly headers: ResponseLike["headers"];
  readonly text: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Since the call began. */
  readonly durationMs: number;
}

/** More than any response of the service. A server that never stops sending would otherwise fill the memory. */
const maxBodyBytes = 128 * 1024 * 1024;

/** The whole body of a response. If it breaks off, the attempt fails. Throws a `ParseError` when it is too large. */
export async function readText(
  response: ResponseLike,
  { operation, secrets }: OutgoingRequest,
): Promise<string> {
  // A custom `fetch` may return responses without a stream.
  if (!isByteStream(response.body)) return transfer(() => response.text(), secrets);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await transfer(() => reader.read(), secrets);
    if (done || !value) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBodyBytes) {
      // Some streams never finish to be cancelled.
      reader.cancel().catch(() => undefined);
      const { status } = response;
      const message = `${operation}: the server sent more than ${maxBodyBytes} bytes (${status}).`;
      throw new ParseError("parse", message, { operation, status });
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * The data of a response. Its fields on the top level are always checked, so that JSON of a proxy is never taken for a
 * resource; `checkAll` also checks everything below. Throws a `ParseError` with the beginning of the body.
 */
export function parseBody(response: ReceivedResponse, shape: Shape, checkAll = false): unknown {
  const data = parseJson(response);
  const fault = shape(data, checkAll ? Number.POSITIVE_INFINITY : 1);
  if (fault) throw createParseError(response, `a body that breaks the contract: the body${fault}`);
  return data;
}

function parseJson(response: ReceivedResponse): unknown {
  const type = response.headers.get("content-type") ?? "no content type";
  if (response.text === "") throw createParseError(response, "an empty body instead of JSON");
  if (!/[/+]json\b/i.test(type)) throw createParseError(response, `${type.split(";")[0]} instead of JSON`);
  try {
    return JSON.parse(response.text);
  } catch {
    throw createParseError(response, "a body that is not JSON");
  }
}

/** The error of a response that is not what the service sends. */
export function createParseError(response: ReceivedResponse, found: string): ParseError {
  const { request, status, attempts, requestId, text } = response;
  const { operation, secrets } = request;
  const body = redact(text, secrets).slice(0, 200);
  const id = requestId === undefined ? "" : `, request ${requestId}`;
  const message = `${operation}: the server sent ${found} (${status}${id})${body && `: ${body}`}`;
  return new ParseError("parse", message, { operation, status, attempts, body, requestId });
}
