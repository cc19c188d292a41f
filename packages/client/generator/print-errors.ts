import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  errorHelp,
  errors,
  eventStreamOperation,
} from "@madang/contract";
import type { Operation } from "./model.ts";

/** The error codes of each SDK method, and the status of every code. */
export function printErrors(operations: readonly Operation[]): string {
  const methods = operations.filter(({ variantOf }) => variantOf === undefined);
  const common = sharedBy(methods);
  const change = sharedBy(methods.filter(({ route }) => route.method !== "GET"));
  // The stream of events is no operation of the contract, but a method of the SDK.
  const listen = { id: "events.listen", errorCodes: errorCodesOf(eventStreamOperation) };
  const entries = [...methods, listen].map(({ id, errorCodes: codes }) => {
    const isChange = change.every((code) => codes.includes(code));
    const own = codes.filter((code) => !(isChange ? change : common).includes(code));
    return `  "${id}": ${[isChange ? "ChangeError" : "CommonError", ...own.map(quote)].join(" | ")};`;
  });
  const statuses = errorCodes.map(
    (code) => `  /** ${errorHelp[code].happened} */\n  ${code}: ${errors[code].status};`,
  );
  const onlyChange = change.filter((code) => !common.includes(code));
  return [
    "/** The codes that every method can throw. */",
    `type CommonError = ${common.map(quote).join(" | ")};`,
    "",
    "/** The codes that every method that changes something can throw. */",
    `type ChangeError = CommonError | ${onlyChange.map(quote).join(" | ")};`,
    "",
    '/** The error codes that each method can throw: `ErrorCodes["users.create"]`. */',
    "export interface ErrorCodes {",
    ...entries,
    "}",
    "",
    "/** The status of every error code of the service today. A newer server may send others. */",
    "export interface ErrorStatuses {",
    ...statuses,
    "}",
    "",
    "/** The name of a method: `users.meta.merge` is `chat.users.meta.merge()`. */",
    "export type Operation = keyof ErrorCodes;",
    "",
    "/** Every error code of the service today. A newer server may send others. */",
    "export type ErrorCode = keyof ErrorStatuses;",
    "",
  ].join("\n");
}

function sharedBy(operations: readonly Operation[]): ErrorCode[] {
  const [first, ...rest] = operations.map(({ errorCodes: codes }) => codes);
  return (first ?? []).filter((code) => rest.every((codes) => codes.includes(code)));
}

function quote(code: string): string {
  return `"${code}"`;
}
