import { sendAsScope } from "@madang/contract";
import type { Request } from "express";
import { isSessionEnded } from "../../db/ended-sessions";
import { ServiceError } from "../../errors/service-error";
import type { ConsoleSession, ConsoleSessions } from "../../security/console-sessions";
import { runAsService } from "../../turns/client";
import type { AuthDeps } from "../deps";
import { listHeaders } from "../request/list-headers";
import type { AnyOperation } from "../request/operation";
import type { Caller } from "./caller";

/** The caller who signed in to the console, if the request has its cookie. Rejects what another page may have sent. */
export async function findConsoleCaller(deps: AuthDeps, request: Request): Promise<Caller | undefined> {
  if (findCookie(deps, request) === undefined) return undefined;
  requireConsoleOrigin(request);
  const session = await findSession(deps, request);
  if (session === undefined) throw sessionEnded();
  return callerOf(deps, session);
}

/** The session of the request, unless it has expired or was signed out. */
export async function findSession(
  deps: Pick<AuthDeps, "db" | "now" | "consoleSessions">,
  request: Request,
): Promise<ConsoleSession | undefined> {
  const { db, now, consoleSessions } = deps;
  const cookie = findCookie(deps, request);
  const session = cookie && consoleSessions?.open(cookie.value);
  // One that was set without HTTPS must not stand in for one that only HTTPS can set.
  if (!session || session.isSecure !== cookie.isSecure || session.expiresAt <= now()) return undefined;
  // Before the caller is known: it counts for nobody.
  return (await runAsService(() => isSessionEnded(db, session.id))) ? undefined : session;
}

/** The caller has the rights of the key, as long as it is valid. */
export async function callerOf(
  { keyMaker, keyRing }: Pick<AuthDeps, "keyMaker" | "keyRing">,
  { id: sessionId, keyDigest, keyId, actor }: ConsoleSession,
): Promise<Caller> {
  const console = { actor, sessionId };
  if (keyId === undefined) {
    if (!keyMaker.isMasterDigest(Buffer.from(keyDigest, "base64"))) throw sessionEnded();
    return { kind: "master", console };
  }
  const stored = await keyRing.findDigest(keyDigest);
  if (stored === undefined) throw sessionEnded();
  const { digest, label, scopes, expiresAt } = stored;
  return { kind: "sub", id: keyId, digest, label, scopes, expiresAt, console };
}

/** Whether the session may send messages in the name of users. */
export const maySendAs = (caller: Caller): boolean =>
  caller.kind === "master" || (caller.scopes?.includes(sendAsScope) ?? false);

const sendOperations: readonly string[] = ["messages.send", "messages.sendMany"];

/** Rejects a message in the name of a user that a person in the console may not send. With a key, the application decides. */
export function requireSendAs(caller: Caller, { id }: Pick<AnyOperation, "id">, body: unknown): void {
  if (caller.console === undefined || !sendOperations.includes(id) || Object(body).user_id === undefined)
    return;
  if (!maySendAs(caller))
    throw new ServiceError(
      "scope_missing",
      `This key does not have the scope ${sendAsScope}, which a message in the name of a user requires in the console.`,
    );
}

/**
 * Rejects a request that a page of another origin may have sent (CSRF). Such a page can send the cookie, also from another
 * port of the same host, but neither this header nor a foreign `Sec-Fetch-Site` or `Origin`.
 */
export function requireConsoleOrigin(request: Request): void {
  if (request.headers["x-madang-console"] !== "1")
    throw crossOrigin(
      "A request with the cookie of the console needs the header X-Madang-Console: 1. Other callers send an API key.",
    );
  if (!isSameOrigin(request))
    throw crossOrigin("The request did not come from the console of this server, but from another origin.");
}

/** Browsers send `Sec-Fetch-Site` to secure origins, and pages cannot set it. */
function isSameOrigin(request: Request): boolean {
  const { "sec-fetch-site": site, origin, host } = request.headers;
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && origin === `${request.protocol}://${host}`;
}

/**
 * The name of the cookie. A prefix requires HTTPS. `__Host-` also makes browsers reject one that another host of the domain set; it is
 * for cookies of a whole host.
 */
export function cookieNameOf({ cookieName, cookiePath }: ConsoleSessions, isSecure: boolean): string {
  if (!isSecure) return cookieName;
  return cookiePath === "/" ? `__Host-${cookieName}` : `__Secure-${cookieName}`;
}

function findCookie(
  { consoleSessions }: Pick<AuthDeps, "consoleSessions">,
  request: Request,
): { value: string; isSecure: boolean } | undefined {
  if (consoleSessions === undefined) return undefined;
  const cookies = listHeaders(request, "cookie")
    .flatMap((header) => header.split(";"))
    .map((cookie) => cookie.trim());
  for (const isSecure of [true, false]) {
    const start = `${cookieNameOf(consoleSessions, isSecure)}=`;
    const [found, ...others] = cookies.filter((cookie) => cookie.startsWith(start));
    // If there are two, the browser was made to accept one that this server did not set: which one is unknown.
    if (found !== undefined) return { value: others.length > 0 ? "" : found.slice(start.length), isSecure };
  }
  return undefined;
}

const crossOrigin = (detail: string) => new ServiceError("cross_origin_request", detail);

export const sessionEnded = () =>
  new ServiceError(
    "unauthenticated",
    "The session of the console has ended: it has expired, was signed out, or its API key is no longer valid. Sign in again.",
  );
