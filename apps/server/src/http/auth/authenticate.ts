import { isPermitted, scopeOf } from "@madang/contract";
import type { Request, RequestHandler } from "express";
import { version } from "../../../package.json";
import { ServiceError } from "../../errors/service-error";
import type { AuthDeps } from "../deps";
import { localsOf } from "../locals";
import { rateLimited } from "../rate-limits/limit-rate";
import { listHeaders } from "../request/list-headers";
import { type AnyOperation, requireOperation } from "../request/operation";
import type { Caller } from "./caller";
import { findConsoleCaller } from "./console-caller";

/** Requires a valid API key, before the request is validated and its body is read. */
export function authenticate(deps: AuthDeps): RequestHandler {
  return async (request, response, next) => {
    const locals = localsOf(response);
    const operation = requireOperation(request);
    locals.operation = operation.id;
    locals.params = request.params;
    // A variant without a body has the SDK method of the operation that it replaces.
    locals.operationName = operation.variantOf ?? operation.id;
    const caller = await requireCaller(deps, request);
    locals.caller = caller;
    // The version is not disclosed without a valid key.
    response.setHeader("Madang-Version", version);
    checkPermission(caller, operation);
    next();
  };
}

function checkPermission(caller: Caller, operation: AnyOperation): void {
  const missing = findMissingPermission(caller, operation);
  if (missing === "master_key_required")
    throw new ServiceError(missing, "This operation requires the master key.");
  if (missing === "scope_missing")
    throw new ServiceError(
      missing,
      `This key does not have the scope ${scopeOf(operation)}, which this operation requires.`,
    );
}

/** Why a caller may not call an operation. Undefined if it may. */
export function findMissingPermission(
  caller: Caller,
  operation: Omit<AnyOperation, "acceptedStatus">,
): "master_key_required" | "scope_missing" | undefined {
  if (caller.kind === "master") return undefined;
  if (operation.access === "master_key") return "master_key_required";
  return isPermitted(caller.scopes, operation) ? undefined : "scope_missing";
}

/** The caller of a request, which may match no route. A key has priority over the cookie of the console. */
export async function requireCaller(deps: AuthDeps, request: Request): Promise<Caller> {
  const [key, ...others] = findKeys(request, deps.keyHeaders);
  if (others.some((other) => other !== key))
    throw unauthenticated("More than one API key was sent. Send one.");
  if (key !== undefined) return requireKey(deps, key, request.ip ?? "");
  const consoleCaller = await findConsoleCaller(deps, request);
  if (consoleCaller !== undefined) return consoleCaller;
  throw unauthenticated("No API key was sent. Send it as Authorization: Bearer <key>.");
}

/** The caller with this key. `address` is that of the client. */
export async function requireKey(deps: AuthDeps, key: string, address: string): Promise<Caller> {
  if (!deps.keyMaker.isSigned(key)) return requireMaster(deps, key, address);
  const stored = await deps.keyRing.find(key);
  if (stored === undefined) throw invalidKey();
  const { label, scopes, expiresAt } = stored;
  return { kind: "sub", id: deps.keyMaker.idOf(key), label, scopes, expiresAt };
}

/** Counts wrong keys. Only the master key could be guessed: a sub key is signed with a secret from the master key. */
async function requireMaster(
  { keyMaker, authFailureLimit }: AuthDeps,
  key: string,
  address: string,
): Promise<Caller> {
  if (keyMaker.isMaster(key)) return { kind: "master" };
  const waitSeconds = await authFailureLimit.count(address);
  throw waitSeconds > 0
    ? rateLimited(waitSeconds, "Too many wrong keys were sent from this address.")
    : invalidKey();
}

function findKeys(request: Request, keyHeaders: readonly string[]): string[] {
  const authorizations = listHeaders(request, "authorization");
  const bearers = authorizations.map((value) => {
    const [, key] = /^Bearer +([^\s]+)$/i.exec(value) ?? [];
    if (key === undefined)
      throw unauthenticated("The Authorization header must have the form: Bearer <key>.");
    return key;
  });
  return [...bearers, ...keyHeaders.flatMap((name) => listHeaders(request, name))];
}

const unauthenticated = (detail: string) => new ServiceError("unauthenticated", detail);

const invalidKey = () =>
  unauthenticated(
    "The API key is invalid. It may have been deleted or have expired. Create another one with the master key.",
  );
