import {
  errorCodes,
  errorCodesOf,
  errorHelp,
  errors,
  eventStreamOperation,
  type OperationWithSchemas,
} from "@madang/contract";

/** The error codes of each SDK method, and the status of every code. */
export function printErrors(operations: readonly OperationWithSchemas[]): string {
  const methods = operations.filter(({ variantOf }) => variantOf === undefined);
  // The stream of events is no operation of the contract, but a method of the SDK.
  const listen = { id: "events.listen", route: eventStreamOperation.route };
  const entries = [...methods, listen].map(({ id, route }) => {
    const codes = errorCodesOf({ route }).map((code) => `"${code}"`);
    return `  "${id}": ${codes.join(" | ")};`;
  });
  const statuses = errorCodes.map(
    (code) => `  /** ${errorHelp[code].happened} */\n  ${code}: ${errors[code].status};`,
  );
  return [
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
