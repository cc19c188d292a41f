import { expect, test } from "vitest";
import { newParts } from "./parts";

const accepts = (json: string) => newParts.safeParse(JSON.parse(json)).success;

test("a number beyond those of JavaScript, which would be returned as null, is rejected", () => {
  expect(accepts('[{"type":"cell","value":1.7976931348623157e308}]')).toBe(true);
  expect(accepts('[{"type":"cell","value":1e400}]')).toBe(false);
  expect(accepts('[{"type":"row","values":[1,{"deep":-1e400}]}]')).toBe(false);
});
