import { errorCodesOf, type Operation } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { invalid, problem } from "../problem";
import { bodyCases } from "./body-cases";
import { pathCases } from "./id-cases";
import { scopeCases } from "./scope-cases";
import { userCases } from "./user-cases";

/** The cases of every operation, derived from an interaction that succeeds. */
export function operationCases(operation: Operation, accepted: Interaction): Interactions {
  return {
    ...requestCases(accepted),
    ...scopeCases(operation, accepted),
    ...userCases(operation, accepted),
    ...pathCases(accepted, errorCodesOf(operation), operation.id.startsWith("privacy.")),
    ...(operation.route.method !== "GET" && bodyCases(accepted, operation.id === "imports.messages" ? 8 : 1)),
  };
}

/** A request carries a key and no unknown query parameter. */
function requestCases({ given, request }: Interaction): Interactions {
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
  };
}
