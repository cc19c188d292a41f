import { isPermitted, scopeOf } from "@madang/contract";
import type { Request, RequestHandler } from "express";
import { version } from "../../../package.json";
import { ServiceError } from "../../errors/service-error";
import { invalidToken, type UserToken } from "../../security/user-tokens";
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
    locals.operation = operation;
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
  if (missing === "not_permitted")
    throw new ServiceError(missing, "With a user's token or key, this operation is not permitted.");
  if (missing === "scope_missing")
    throw new ServiceError(
      missing,
      `This key does not have the scope ${scopeOf(operation)}, which this operation requires.`,
    );
}

/** Why a caller may not call an operation. Undefined if it may. */
export function findMissingPermission(
  caller: Caller,
  operation: Pick<AnyOperation, "id" | "variantOf" | "access" | "user" | "route">,
): "master_key_required" | "scope_missing" | "not_permitted" | undefined {
  if (caller.kind === "master") return undefined;
  if (caller.kind === "user" && operation.user === "no") return "not_permitted";
  if (operation.access === "master_key") return "master_key_required";
  return isPermitted(caller.scopes, operation) ? undefined : "scope_missing";
}

/** The caller of a request, which may match no route. A key has priority over the cookie of the console. */
export async function requireCaller(deps: AuthDeps, request: Request): Promise<Caller> {
  const [first, ...others] = findKeys(request, deps.keyHeaders);
  if (others.some(({ key }) => key !== first?.key))
    throw unauthenticated("More than one API key was sent. Send one.");
  if (first !== undefined) {
    const caller = await requireKey(deps, first.key, request.ip ?? "");
    if (isToken(caller) && [first, ...others].some(({ header }) => header !== "authorization"))
      throw unauthenticated(
        "The token of a user is sent as Authorization: Bearer <token>, in no other header.",
      );
    return caller;
  }
  const consoleCaller = await findConsoleCaller(deps, request);
  if (consoleCaller !== undefined) return consoleCaller;
  throw unauthenticated("No API key was sent. Send it as Authorization: Bearer <key>.");
}

/** Checks again what the caller of an earlier request sent: its key may have been deleted, or its token revoked. */
export async function recheckCaller(deps: AuthDeps, request: Request, caller: Caller): Promise<void> {
  if (isToken(caller)) await callerOfToken(deps, caller.token);
  else await requireCaller(deps, request);
}

/** The caller with this key or token. `address` is that of the client. */
export async function requireKey(deps: AuthDeps, key: string, address: string): Promise<Caller> {
  if (deps.keyMaker.isSigned(key)) return callerOfKey(deps, key);
  const token = deps.userTokens.open(key);
  return token === undefined ? requireMaster(deps, key, address) : callerOfToken(deps, token);
}

async function callerOfKey({ keyMaker, keyRing, publicMeta }: AuthDeps, key: string): Promise<Caller> {
  const stored = await keyRing.find(key);
  if (stored === undefined) throw invalidKey();
  const { digest, label, scopes, expiresAt, user } = stored;
  const id = keyMaker.idOf(key);
  return user === undefined
    ? { kind: "sub", id, digest, label, scopes, expiresAt }
    : { kind: "user", id, ...user, publicMeta, label, scopes, expiresAt };
}

/** A token has the scopes of the key that created it, and ends with that. */
async function callerOfToken(
  { keyRing, revocations, now, publicMeta }: AuthDeps,
  token: UserToken,
): Promise<Extract<Caller, { kind: "user" }>> {
  const { userId, userPk, expiresAt, keyDigest, revocation } = token;
  if (expiresAt <= now()) throw invalidToken();
  const creator = keyDigest === undefined ? undefined : await keyRing.findDigest(keyDigest);
  if (keyDigest !== undefined && creator === undefined) throw invalidToken();
  if (await revocations.isRevoked(userPk, revocation)) throw invalidToken();
  const user = { userId, userPk, revocation, publicMeta };
  return { kind: "user", token, ...user, scopes: creator?.scopes, expiresAt };
}

const isToken = (caller: Caller): caller is Caller & { readonly kind: "user"; readonly token: UserToken } =>
  caller.kind === "user" && caller.token !== undefined;

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

interface SentKey {
  readonly header: string;
  readonly key: string;
}

function findKeys(request: Request, keyHeaders: readonly string[]): SentKey[] {
  const authorizations = listHeaders(request, "authorization");
  const bearers = authorizations.map((value) => {
    const [, key] = /^Bearer +([^\s]+)$/i.exec(value) ?? [];
    if (key === undefined)
      throw unauthenticated("The Authorization header must have the form: Bearer <key>.");
    return { header: "authorization", key };
  });
  const others = keyHeaders.flatMap((header) => listHeaders(request, header).map((key) => ({ header, key })));
  return [...bearers, ...others];
}

const unauthenticated = (detail: string) => new ServiceError("unauthenticated", detail);

const invalidKey = () =>
  unauthenticated(
    "The API key is invalid. It may have been deleted or have expired. Create another one with the master key.",
  );
