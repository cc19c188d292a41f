import { errorCodesOf, type Operation, operations } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { invalid, problem } from "../problem";
import { bodyCases } from "./body-cases";
import { pathCases } from "./id-cases";
import { hasOwnGroup, scopeCases } from "./scope-cases";
import { absentChannelCases, userCases } from "./user-cases";

/** One middleware decides who may call an operation, by these properties of it: the first one with each of them is called. */
const callersOf = ({ id, variantOf = id, access, user, route }: Operation) =>
  [access, user, route.method === "GET", hasOwnGroup(variantOf)].join(" ");

const isRepresentative = (operation: Operation) =>
  operations.find((each) => callersOf(each) === callersOf(operation))?.id === operation.id;

/** The cases of every operation, derived from an interaction that succeeds. */
export function operationCases(operation: Operation, accepted: Interaction): Interactions {
  return {
    ...requestCases(accepted),
    ...(isRepresentative(operation) && callerCases(operation, accepted)),
    ...absentChannelCases(operation, accepted),
    ...pathCases(accepted, errorCodesOf(operation), operation.id.startsWith("privacy.")),
    ...(operation.route.method !== "GET" && bodyCases(accepted, operation.maxBodyBytes / 1_048_576)),
  };
}

function callerCases(operation: Operation, accepted: Interaction): Interactions {
  const { given, request } = accepted;
  return {
    "rejects a request without a key": {
      given,
      request: { ...request, key: "none" },
      response: problem(401, "unauthenticated"),
    },
    ...scopeCases(operation, accepted),
    ...userCases(operation, accepted),
  };
}

/** A request has no unknown query parameter. */
function requestCases({ request }: Interaction): Interactions {
  return {
    "rejects an unknown query parameter": {
      request: { ...request, query: { ...request?.query, unknown: "1" } },
      response: invalid("query", "unknown"),
    },
  };
}
