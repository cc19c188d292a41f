import type { Interaction, Interactions } from "../interaction";
import { masterKey } from "../placeholders";
import { problem } from "../problem";

/** The forms of a key. They are checked before the route, so one operation covers them. */
export function keyCases({ given, request, response }: Interaction): Interactions {
  const rejected = problem(401, "unauthenticated");
  const withHeader = (name: string, value: string) =>
    ({ ...request, key: "none", headers: { [name]: value } }) as const;
  const withAuthorization = (value: string) => withHeader("authorization", value);
  const configured = { ...given, settings: { keyHeaders: ["x-api-key"] } };
  return {
    "rejects an unknown key": { given, request: { ...request, key: "unknown" }, response: rejected },
    "rejects a sub key that was deleted": {
      given: { ...given, deletedSubKey: true },
      request: { ...request, key: "deleted" },
      response: rejected,
    },
    "rejects another scheme": { given, request: withAuthorization("Basic bWs6"), response: rejected },
    "rejects a scheme without a key": { given, request: withAuthorization("Bearer"), response: rejected },
    "rejects a key without a scheme": {
      given,
      request: withAuthorization("sk_0123456789"),
      response: rejected,
    },
    "rejects two keys after the scheme": {
      given,
      request: withAuthorization("Bearer sk_0123456789 sk_0123456789"),
      response: rejected,
    },
    "accepts the scheme in any case": { given, request: withAuthorization(`bEARER ${masterKey}`), response },
    "rejects a key in a header that is not configured": {
      given,
      request: withHeader("x-api-key", masterKey),
      response: rejected,
    },
    "accepts a key in a header that is configured": {
      given: configured,
      request: withHeader("x-api-key", masterKey),
      response,
    },
  };
}
