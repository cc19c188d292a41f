import { auditEntry } from "@madang/contract";
import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("a reason that begins like a formula is a text", () => {
  const entry = { entry_id: "1", at: 0, operation: "users.get", method: "GET", status: 200 } as const;
  const [, row] = toCsv([{ ...entry, kind: "master", address: "::1", reason: "=A(1)" }]).split("\r\n");
  expect(row).toBe("1,1970-01-01T00:00:00.000Z,users.get,GET,200,,master,,,,'=A(1),::1,,,,");
});

test("the file has every field of the contract, in its order", () => {
  expect(toCsv([])).toBe(`${Object.keys(auditEntry.shape).join(",")}\r\n`);
});
