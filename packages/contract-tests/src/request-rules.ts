import type { Interaction, Interactions } from "./interaction";
import { invalid, refusal } from "./refusal";
import type { Key } from "./request";
import { masterKey } from "./stand-ins";
import { changed, refused } from "./variants";

/** What holds for every request: who may send it, and that nothing unknown is in it. */
export function requestRules(
  accepted: Interaction,
  access: "any_key" | "master_key" = "any_key",
): Interactions {
  const sub = { ...accepted, given: { ...accepted.given, subKeys: 1 } };
  return {
    "refuses a request without a key": unauthenticated(accepted, "none"),
    "refuses an unknown query parameter": refused(
      changed(accepted, { query: { ...accepted.request?.query, surprise: "1" } }),
      invalid("query", "surprise"),
    ),
    ...(access === "any_key"
      ? { "accepts a sub key": changed(sub, { key: "sub" }) }
      : {
          "refuses a sub key": changed(sub, { key: "sub" }, refusal(403, "master_key_required")),
        }),
  };
}

/** The ways in which a key may be wrong. They are judged before the operation is known, so one operation shows them. */
export function keyRules(accepted: Interaction): Interactions {
  const authorization = (value: string) =>
    changed(accepted, { key: "none", headers: { authorization: value } }, refusal(401, "unauthenticated"));
  return {
    "refuses an unknown key": unauthenticated(accepted, "unknown"),
    "refuses a sub key that was deleted": unauthenticated(
      { ...accepted, given: { ...accepted.given, hadSubKey: true } },
      "deleted",
    ),
    "refuses another scheme": authorization("Basic bWs6"),
    "refuses a scheme without a key": authorization("Bearer"),
    "refuses a key without a scheme": authorization("sk_0123456789"),
    "refuses two words after the scheme": authorization("Bearer sk_0123456789 sk_0123456789"),
    "refuses a key in a header that is not set up": changed(
      accepted,
      { key: "none", headers: { "x-api-key": masterKey } },
      refusal(401, "unauthenticated"),
    ),
    "accepts the scheme in any case": changed(accepted, {
      key: "none",
      headers: { authorization: `bEARER ${masterKey}` },
    }),
    "accepts a key in a header that is set up": {
      ...changed(accepted, { key: "none", headers: { "x-api-key": masterKey } }),
      given: { ...accepted.given, settings: { keyHeaders: ["x-api-key"] } },
    },
  };
}

/** What holds for every body: it is JSON, declared as such, of at most 1 MB, with known fields alone. */
export function bodyRules(accepted: Interaction): Interactions {
  const send = (raw: string | Uint8Array<ArrayBuffer>, contentType = "application/json") => ({
    ...accepted.request,
    raw,
    headers: { "content-type": contentType },
  });
  const body = Object(accepted.request?.body ?? {});
  return {
    "refuses a body that is not JSON": { request: send("{"), response: refusal(400, "invalid_json") },
    "refuses a body that is not UTF-8": {
      request: send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      response: refusal(400, "invalid_json"),
    },
    "accepts a body of 1 MB": { ...accepted, request: send(padded(body, 1_048_576)) },
    "refuses a body of 1 MB and a byte": {
      request: send(padded(body, 1_048_577)),
      response: refusal(413, "payload_too_large"),
    },
    "refuses a body of another type": {
      request: send(JSON.stringify(body), "text/plain"),
      response: refusal(415, "unsupported_media_type"),
    },
    "refuses an unknown field": {
      request: { ...accepted.request, body: { ...body, surprise: true } },
      response: invalid("body", "surprise"),
    },
    "refuses a body that is an array": {
      request: { ...accepted.request, body: [] },
      response: invalid("body", ""),
    },
  };
}

/** Some body is required, and each of these fields in it. */
export function requiredRules(accepted: Interaction, fields: readonly string[]): Interactions {
  const { body, ...bodiless } = accepted.request ?? {};
  return {
    "refuses a request without a body": { request: bodiless, response: invalid("body", "") },
    ...Object.fromEntries(
      fields.map((field) => [
        `refuses a body without ${field}`,
        {
          request: { ...bodiless, body: { ...Object(body), [field]: undefined } },
          response: invalid("body", field),
        },
      ]),
    ),
  };
}

function unauthenticated(accepted: Interaction, key: Key): Interaction {
  return changed(accepted, { key }, refusal(401, "unauthenticated"));
}

/** JSON may be surrounded by any number of spaces. */
function padded(body: unknown, bytes: number): string {
  const text = JSON.stringify(body);
  return text + " ".repeat(bytes - new TextEncoder().encode(text).length);
}
