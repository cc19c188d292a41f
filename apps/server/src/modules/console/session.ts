import { auditedOperations, limits, lineOfText, operations } from "@madang/contract";
import type { Request, RequestHandler } from "express";
import * as z from "zod";
import { version } from "../../../package.json";
import { endSession } from "../../db/ended-sessions";
import { invalidField, ServiceError } from "../../errors/service-error";
import { findMissingPermission, requireKey } from "../../http/auth/authenticate";
import type { Caller } from "../../http/auth/caller";
import {
  callerOf,
  cookieNameOf,
  findSession,
  maySendAs,
  requireConsoleOrigin,
  sessionEnded,
} from "../../http/auth/console-caller";
import type { HttpDeps } from "../../http/deps";
import { localsOf } from "../../http/locals";
import { explainInvalid } from "../../http/request/explain-invalid";
import { readJsonBody } from "../../http/request/read-json";
import { isLoopback } from "../../security/address-rules";
import type { ConsoleSession, ConsoleSessions } from "../../security/console-sessions";
import { describeRequest } from "../../write/audit/entry";
import type { AuditDeps } from "../../write/audit/record-rejections";

export type SessionDeps = HttpDeps & AuditDeps & { readonly consoleSessions: ConsoleSessions };

const maxAgeMs = 12 * 3_600_000;
const maxBodyBytes = 4_096;

const credentials = z.strictObject({
  key: z.string().min(1, "Must have at least 1 character."),
  actor: lineOfText(limits.consoleActor).refine(
    (actor) => actor.trim() !== "",
    "Must have at least 1 character that is not white space.",
  ),
});

/** Signing in to the console and out of it. A session is in its cookie alone, so every process of the service accepts it. */
export function sessionHandlers(deps: SessionDeps) {
  const { db, now, makeId, keyMaker, consoleSessions } = deps;
  const cookieOf = (isSecure: boolean) =>
    [
      cookieNameOf(consoleSessions, isSecure),
      { httpOnly: true, sameSite: "strict", secure: isSecure, path: consoleSessions.cookiePath },
    ] as const;

  /** Both are in the audit log, with who it was. */
  const record = async (id: string, request: Request, caller: Caller) => {
    if (deps.audit === "off") return;
    const entry = { operation: { id, idFields: [] }, caller, request, headers: {} };
    await deps.addEntry(describeRequest(entry, { status: 204 }));
  };

  const signIn: RequestHandler = async (request, response) => {
    requireConsoleOrigin(request);
    const isSecure = requireSafeConnection(request);
    const { key, actor } = parseCredentials(
      await readJsonBody(request, response, maxBodyBytes, deps.resources.bodies),
    );
    const owner = await requireKey(deps, key, request.ip ?? "");
    if (owner.kind === "user")
      throw new ServiceError("not_permitted", "The console is for keys of the application, not for users.");
    // The session that the browser had ends: it never continues as that of another person.
    const earlier = await findSession(deps, request);
    if (earlier !== undefined) await endSession(db, earlier.id, earlier.expiresAt);
    const session: ConsoleSession = {
      id: makeId(),
      keyDigest: keyMaker.digest(key).toString("base64"),
      ...(owner.kind === "sub" && { keyId: owner.id }),
      actor: keyMaker.mask(actor),
      expiresAt: now() + maxAgeMs,
      isSecure,
    };
    const caller = await callerOf(deps, session);
    localsOf(response).caller = caller;
    await record("console.signIn", request, caller);
    const [name, options] = cookieOf(isSecure);
    response.cookie(name, consoleSessions.seal(session), { ...options, maxAge: maxAgeMs });
    response.status(204).end();
  };

  /** Also for a session that has ended: the cookie is removed in any case. */
  const signOut: RequestHandler = async (request, response) => {
    requireConsoleOrigin(request);
    const session = await findSession(deps, request);
    if (session !== undefined) {
      await endSession(db, session.id, session.expiresAt);
      const caller = await callerOf(deps, session).catch(() => undefined);
      if (caller !== undefined) await record("console.signOut", request, caller);
    }
    for (const isSecure of [true, false]) response.clearCookie(...cookieOf(isSecure));
    response.status(204).end();
  };

  const show: RequestHandler = async (request, response) => {
    requireConsoleOrigin(request);
    const session = await findSession(deps, request);
    if (session === undefined) throw sessionEnded();
    const caller = await callerOf(deps, session);
    localsOf(response).caller = caller;
    const { actor, expiresAt } = session;
    response.json({
      actor,
      expires_at: expiresAt,
      kind: caller.kind,
      ...(caller.kind === "sub" && {
        key_id: caller.id,
        label: caller.label,
        scopes: caller.scopes,
        key_expires_at: caller.expiresAt,
      }),
      version,
      operations: permissionsOf(caller),
      audited_operations: auditedOperations,
      can_send_as_users: maySendAs(caller),
    });
  };

  return { signIn, signOut, show };
}

/** For each operation, by its name in the SDK, whether the caller may call it: the page does not offer what fails. */
function permissionsOf(
  caller: Caller,
): Record<string, "permitted" | "master_key_required" | "scope_missing" | "not_permitted"> {
  const named = operations.filter(({ variantOf }) => variantOf === undefined);
  return Object.fromEntries(
    named.map((operation) => [operation.id, findMissingPermission(caller, operation) ?? "permitted"]),
  );
}

function parseCredentials(body: unknown): z.infer<typeof credentials> {
  const result = credentials.safeParse(body);
  if (result.success) return result.data;
  throw explainInvalid(
    { pathParams: null, headers: null, query: null, body: result.error },
    { query: {}, body },
  );
}

/**
 * Whether the cookie is for HTTPS only: everywhere except on the machine itself. What the browser reports counts, because a
 * proxy may have changed the scheme and the host.
 */
function requireSafeConnection(request: Request): boolean {
  const { origin = `${request.protocol}://${request.headers.host}` } = request.headers;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.protocol !== "http:") return true;
  if (isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1"))) return false;
  throw invalidField(
    "header",
    "origin",
    "The console needs HTTPS, except on the machine itself (localhost).",
  );
}
