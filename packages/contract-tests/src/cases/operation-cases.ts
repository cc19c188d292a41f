import { errorCodesOf, type Operation } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { invalid, problem } from "../problem";
import { bodyCases } from "./body-cases";
import { pathCases } from "./id-cases";

/** The cases of every operation, derived from an interaction that succeeds. */
export function operationCases(operation: Operation, accepted: Interaction): Interactions {
  const { access, maxBodyBytes, route } = operation;
  return {
    ...requestCases(accepted, access),
    ...pathCases(accepted, errorCodesOf(operation)),
    ...(route.method !== "GET" && bodyCases(accepted, maxBodyBytes)),
  };
}

/** A request carries a key and no unknown query parameter. */
function requestCases({ given, request, response }: Interaction, access: Operation["access"]): Interactions {
  const withSubKey = { given: { ...given, subKeys: 1 }, request: { ...request, key: "sub" } } as const;
  return {
    "rejects a request without a key": {
      given,
      request: { ...request, key: "none" },
      response: problem(401, "unauthenticated"),
    },
    "rejects an unknown query parameter": {
      request: { ...request, query: { ...request?.query, unknown: "1" } },
      response: invalid("query", "unknown"),
    },
    ...(access === "any_key"
      ? { "accepts a sub key": { ...withSubKey, response } }
      : { "rejects a sub key": { ...withSubKey, response: problem(403, "master_key_required") } }),
  };
}
