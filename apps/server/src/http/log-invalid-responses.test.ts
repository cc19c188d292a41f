import pino from "pino";
import { expect, test } from "vitest";
import { logInvalidResponses } from "./log-invalid-responses";

test("each invalid response is logged and counted", () => {
  const lines: string[] = [];
  const report = logInvalidResponses(pino({}, { write: (line: string) => void lines.push(line) }));
  const invalid = { operation: "users.get", status: 200, requestId: "r1", rule: "body name: invalid_type" };
  report(invalid);
  report(invalid);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { operation: "users.get", request_id: "r1", invalid_responses: 1 },
    { operation: "users.get", request_id: "r1", invalid_responses: 2 },
  ]);
});
