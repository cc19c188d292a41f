import type { Interaction, Interactions } from "../interaction";
import { masterKey } from "../placeholders";
import { problem } from "../problem";
import type { Request } from "../request";

/** The forms of a key. They are checked before the route, so one operation covers them. */
export function keyCases({ given, request, response }: Interaction): Interactions {
  const rejected: Readonly<Record<string, Request>> = {
    "an unknown key": { key: "unknown" },
    "another scheme": { key: "none", headers: { authorization: "Basic bWs6" } },
    "a scheme without a key": { key: "none", headers: { authorization: "Bearer" } },
    "a key without a scheme": { key: "none", headers: { authorization: "sk_0123456789" } },
    "two keys": { key: "none", headers: { authorization: "Bearer sk_0123456789 sk_0123456789" } },
    "a key in a header that is not configured": { key: "none", headers: { "x-api-key": masterKey } },
  };
  const cases: Record<string, Interaction> = {
    "rejects a sub key that was deleted": {
      given: { ...given, deletedSubKey: true },
      request: { ...request, key: "deleted" },
      response: problem(401, "unauthenticated"),
    },
    "accepts the scheme in any case": {
      given,
      request: { ...request, key: "none", headers: { authorization: `bEARER ${masterKey}` } },
      response,
    },
    "accepts a key in a header that is configured": {
      given: { ...given, settings: { keyHeaders: ["x-api-key"] } },
      request: { ...request, key: "none", headers: { "x-api-key": masterKey } },
      response,
    },
  };
  for (const [name, key] of Object.entries(rejected))
    cases[`rejects ${name}`] = {
      given,
      request: { ...request, ...key },
      response: problem(401, "unauthenticated"),
    };
  return cases;
}
