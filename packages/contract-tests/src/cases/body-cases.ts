import type { Interaction, Interactions } from "../interaction";
import { invalid, problem } from "../problem";

/** A body is JSON, declared as JSON, has at most so many bytes, and contains no unknown field. */
export function bodyCases({ given, request, response }: Interaction, megabytes: number): Interactions {
  const body: object = request?.body ?? {};
  const text = JSON.stringify(body);
  const maxBytes = megabytes * 2 ** 20;
  const send = (raw: string | Uint8Array<ArrayBuffer>, type = "application/json") => ({
    ...request,
    raw,
    headers: { "content-type": type },
  });
  return {
    "rejects a body that is not JSON": { request: send("{"), response: problem(400, "invalid_json") },
    "rejects a body that is not UTF-8": {
      request: send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      response: problem(400, "invalid_json"),
    },
    // JSON may be followed by any number of spaces.
    [`accepts a body of ${megabytes} MB`]: { given, request: send(text.padEnd(maxBytes)), response },
    [`rejects a body of ${megabytes} MB and 1 byte`]: {
      request: send(text.padEnd(maxBytes + 1)),
      response: problem(413, "payload_too_large"),
    },
    "rejects a body of another content type": {
      request: send(text, "text/plain"),
      response: problem(415, "unsupported_media_type"),
    },
    "rejects an unknown field": {
      request: { ...request, body: { ...body, unknown: true } },
      response: invalid("body", "unknown"),
    },
    "rejects a body that is an array": { request: { ...request, body: [] }, response: invalid("body", "") },
  };
}

/** The body is required, and so is each of these fields. */
export function requiredFieldCases({ request }: Interaction, fields: readonly string[]): Interactions {
  const { body, ...withoutBody } = request ?? {};
  const cases: Record<string, Interaction> = {
    "rejects a request without a body": { request: withoutBody, response: invalid("body", "") },
  };
  for (const field of fields)
    cases[`rejects a body without ${field}`] = {
      request: { ...request, body: { ...Object(body), [field]: undefined } },
      response: invalid("body", field),
    };
  return cases;
}
