import type { Logger } from "pino";
import type { InvalidResponse } from "./validate-responses";

/** Logs each invalid response, with the number of them since the process started. */
export function logInvalidResponses(logger: Logger): (invalid: InvalidResponse) => void {
  let count = 0;
  return ({ operation, status, requestId, rule }) => {
    count += 1;
    logger.error(
      { operation, status, request_id: requestId, rule, invalid_responses: count },
      "response violates the contract",
    );
  };
}
