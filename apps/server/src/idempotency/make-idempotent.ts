import { createHmac, createSecretKey } from "node:crypto";
import type { Db } from "../db/db";
import { ServiceError } from "../errors";
import { localsOf } from "../http/locals";
import type { Call, Handler } from "../http/map-handlers";
import { requireOperation } from "../http/request/operation";
import { runInSlices } from "../in-slices";
import type { KeyMaker } from "../security/secret";
import type { Claim } from "./claim";
import { claims } from "./once";
import { canRetry, isWaitingForKey } from "./store";

interface Deps {
  readonly db: Db;
  readonly keyMaker: KeyMaker;
}

const maxAttempts = 3;

/**
 * Wraps a handler so that a change with an `Idempotency-Key` takes effect once. `once` applies the claim to the
 * handler's write. Errors are not stored.
 */
export function makeIdempotent(deps: Deps): (handler: Handler) => Handler {
  const createClaim = prepareClaims(deps);
  return (handler) => async (call) => {
    const key = call.req.headers["idempotency-key"];
    const { id, route } = requireOperation(call.req);
    if (typeof key !== "string" || route.method === "GET") return handler(call);
    return run(deps.db, await createClaim(id, key, call), handler, call);
  };
}

/**
 * Runs the handler, and retries it after a conflict with another request with the same key, whose result may have
 * become visible only after this request had looked for it.
 */
async function run(db: Db, claim: Claim, handler: Handler, call: Call) {
  claims.set(call.res, claim);
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await handler(call);
      if (claim.isReplayed) call.res.setHeader("Idempotent-Replayed", "true");
      return result;
    } catch (error) {
      if (isWaitingForKey(error))
        throw new ServiceError(
          "idempotency_key_in_use",
          "The first request with this idempotency key is still running. Send this one again in a second.",
        );
      if (attempt === maxAttempts || !(await canRetry(db, claim, error))) throw error;
    }
  }
}

function prepareClaims({ keyMaker }: Deps) {
  const fingerprintKey = createSecretKey(keyMaker.derive("idempotent requests"));
  const masterName = `master ${keyMaker.masterId.toString("base64url")}`;
  return async (id: string, key: string, { params, query, body, res }: Call): Promise<Claim> => {
    const { caller } = localsOf(res);
    if (caller === undefined) throw new Error("The request was not authenticated.");
    const digest = createHmac("sha256", fingerprintKey);
    await runInSlices(partsOf([id, params, query, body]), (part) => digest.update(part));
    return {
      caller: caller.kind === "master" ? masterName : `sub ${caller.id}`,
      key,
      fingerprint: digest.digest(),
      isReplayed: false,
    };
  };
}

/** The parts of a request as text. Each entry of an array in the body is a separate part: the array may be long. */
function* partsOf([id, params, query, body]: readonly unknown[]): Generator<string> {
  const [only, ...others] = Object.entries(Object(body));
  if (only === undefined || others.length > 0 || !Array.isArray(only[1]))
    return yield formatCanonically([id, params, query, body]);
  yield formatCanonically([id, params, query, only[0]]);
  for (const entry of only[1]) yield `\n${formatCanonically(entry)}`;
}

/** JSON with the members of each object in sorted order. */
function formatCanonically(value: unknown): string {
  return JSON.stringify(value, (_name, entry: unknown) =>
    typeof entry === "object" && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1)))
      : entry,
  );
}
