import { ContractNoBody } from "@ts-rest/core";
import { expect, test } from "vitest";
import { errorCodesOf, operations } from "./operations";

const repeated = operations.filter(({ errorWhenRepeated }) => errorWhenRepeated !== undefined);

test.each(repeated)(
  "$id can return the error of a repeated request, and its response has no body",
  (operation) => {
    expect(errorCodesOf(operation)).toContain(operation.errorWhenRepeated);
    expect(operation.route.responses[200]).toBe(ContractNoBody);
  },
);

test("every deletion without a response body has an error for a repeated request", () => {
  const deletions = operations.filter(
    ({ route }) => route.method === "DELETE" && route.responses[200] === ContractNoBody,
  );
  expect(deletions.filter(({ errorWhenRepeated }) => errorWhenRepeated === undefined)).toEqual([]);
});
