import type { Logger } from "pino";
import type { WrongAnswer } from "./check-answers";

/** One line for each wrong answer, with how many there were since the process began. */
export function logWrongAnswers(logger: Logger): (wrong: WrongAnswer) => void {
  let count = 0;
  return ({ operation, status, requestId, rule }) => {
    count += 1;
    logger.error(
      { operation, status, request_id: requestId, rule, wrong_answers: count },
      "an answer is not as the contract says",
    );
  };
}
