import { errorCodes, operations } from "@madang/contract";
import { exemptions, listInteractions, stateRefusals } from "@madang/contract-tests";
import { describe, expect, test } from "vitest";
import { codesOf, statusesOf } from "../support/declared";

const recorded = listInteractions();
const codeOf = (body: unknown): unknown => Object(body).code;

describe.each(operations)("$id", ({ id, route }) => {
  const answers = recorded.filter(({ operation }) => operation === id).map(({ response }) => response);

  test("every status that the contract declares has its interaction, and no other is recorded", () => {
    const elsewhere = Object.values(stateRefusals).map(({ status }) => status);
    const shown = new Set([...answers.map(({ status }) => status), ...elsewhere]);
    expect(statusesOf(route).filter((status) => !shown.has(status))).toEqual([]);
    expect(answers.filter(({ status }) => !statusesOf(route).includes(status))).toEqual([]);
  });

  test("every code that the contract declares has its interaction, and no other is recorded", () => {
    const declared = codesOf(route);
    const shown = answers.map(({ body }) => codeOf(body)).filter((code) => code !== undefined);
    const elsewhere = [...Object.keys(stateRefusals), ...Object.keys(exemptions)];
    expect(declared.length).toBeGreaterThan(4);
    expect(declared.filter((code) => !shown.includes(code) && !elsewhere.includes(code))).toEqual([]);
    expect(shown.filter((code) => !declared.some((known) => known === code))).toEqual([]);
  });
});

test("every code of the contract is shown by an interaction or a state, or has a reason not to be", () => {
  const shown = recorded.map(({ response }) => codeOf(response.body));
  const elsewhere = [...Object.keys(stateRefusals), ...Object.keys(exemptions)];
  expect(errorCodes.filter((code) => !shown.includes(code) && !elsewhere.includes(code))).toEqual([]);
});

test("no code is exempt that an interaction shows", () => {
  const shown = new Set(recorded.map(({ response }) => codeOf(response.body)));
  expect(Object.keys(exemptions).filter((code) => shown.has(code))).toEqual([]);
});
