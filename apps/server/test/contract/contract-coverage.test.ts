import { errorCodes, errorCodesOf, operations } from "@madang/contract";
import { callerCodes, listInteractions, serverStateProblems, uncoveredCodes } from "@madang/contract-tests";
import { describe, expect, test } from "vitest";

const recorded = listInteractions();
const codeOf = (body: unknown): unknown => Object(body).code;
const coveredElsewhere = [...Object.keys(serverStateProblems), ...Object.keys(uncoveredCodes)];

/** Interactions of other operations have these codes, or no interaction has them. */
const isCoveredOnce = (code: string) =>
  coveredElsewhere.includes(code) || callerCodes.some((one) => one === code);

describe.each(operations)("$id", (operation) => {
  const responses = recorded.filter((one) => one.operation === operation.id).map(({ response }) => response);

  test("interactions cover every status of the contract, and no other", () => {
    const declared = Object.keys(operation.route.responses).map(Number);
    const fromStates = Object.values(serverStateProblems).map(({ status }) => status);
    const covered = new Set([401, 403, ...responses.map(({ status }) => status), ...fromStates]);
    expect(declared.filter((status) => !covered.has(status))).toEqual([]);
    expect(responses.filter(({ status }) => !declared.includes(status))).toEqual([]);
  });

  test("interactions cover every code of the contract, and no other", () => {
    const declared = errorCodesOf(operation);
    const covered = responses.map(({ body }) => codeOf(body)).filter((code) => code !== undefined);
    expect(declared.length).toBeGreaterThan(4);
    expect(declared.filter((code) => !covered.includes(code) && !isCoveredOnce(code))).toEqual([]);
    expect(covered.filter((code) => !declared.some((known) => known === code))).toEqual([]);
  });
});

const covered = new Set(recorded.map(({ response }) => codeOf(response.body)));

test("an interaction or a server state covers every code of the contract, or a reason is given", () => {
  expect(errorCodes.filter((code) => !covered.has(code) && !coveredElsewhere.includes(code))).toEqual([]);
});

test("no code that an interaction covers is listed as uncovered", () => {
  expect(Object.keys(uncoveredCodes).filter((code) => covered.has(code))).toEqual([]);
});
