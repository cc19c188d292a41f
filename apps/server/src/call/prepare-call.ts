import { createHmac, createSecretKey } from "node:crypto";
import type { AuditSetting } from "@madang/contract";
import type { Database } from "../db/db";
import { type Caller, nameCaller } from "../http/auth/caller";
import { requireSendAs } from "../http/auth/console-caller";
import { limitToOwnUser } from "../http/auth/limit-to-own-user";
import type { Call, Handler } from "../http/handler";
import { localsOf } from "../http/locals";
import { requireAuditHeaders } from "../http/request/audit-headers";
import type { KeyMaker } from "../security/secret";
import { runInSlices } from "../turns/in-slices";
import { describeRequest, isRecorded } from "../write/audit/entry";
import {
  idempotencyKeyInUse,
  isRejection,
  isWaitingForIdempotencyKey,
  mayRetry,
  storeRejection,
} from "../write/idempotency-store";
import type { IdempotencyKey } from "../write/request";
import { openWriter, type Writer } from "../write/writer";

interface Deps {
  readonly db: Database;
  readonly keyMaker: KeyMaker;
  readonly audit: AuditSetting;
  /** Writes an audit entry outside the transaction of a change. */
  readonly addEntry: (entry: string) => Promise<void>;
}

const maxAttempts = 3;

/**
 * Wraps a handler: it gets the user as whom the request acts, who names only itself, the database, and a change a `Writer` with its idempotency key and its audit entry. The entries of reads, and of accepted
 * requests that changed nothing, are written here, before the response is sent. A request that gets the stored result of an
 * earlier one has no entry. Of errors, only the rejection of a message by a check is stored under a key.
 */
export function prepareCall(deps: Deps): (handler: Handler) => Handler {
  const readKey = prepareIdempotencyKeys(deps);
  return (handler) => async (call) => {
    const { req, res } = call;
    const { caller, operation } = localsOf(res);
    if (caller === undefined || operation === undefined)
      throw new Error("The request was not authenticated.");
    requireSendAs(caller, operation, call.body);
    const acting = caller.kind === "user" ? caller : undefined;
    // Before its fingerprint: with and without the name, it is the same request.
    if (acting !== undefined) Object.assign(call, limitToOwnUser(operation, call, acting));
    const headers = requireAuditHeaders(req, deps.keyMaker);
    const describe = (status: number) =>
      describeRequest({ operation, caller, request: req, headers }, { status });
    const { acceptedStatus } = operation;
    const entry = isRecorded(deps.audit, operation, caller) ? describe(acceptedStatus) : undefined;
    const isRead = operation.route.method === "GET";
    const key = isRead ? undefined : await readKey(operation.id, caller, call);
    const request = { key, entry, acting: acting && { ...acting, right: operation.user } };
    // Here a request finds the schema of the channel in its path.
    const channelId: unknown = Object(call.params).channel_id;
    const db = typeof channelId === "string" ? deps.db.channel(channelId) : deps.db;
    const everywhere = openWriter(deps.db, request);
    const writer = typeof channelId === "string" ? everywhere.channel(channelId) : everywhere;
    const prepared = Object.assign(call, {
      acting,
      db,
      ...(!isRead && { writer }),
    });
    const result = await run(writer, () => handler(prepared)).finally(() => {
      if (writer.state.outcome === "replayed") res.setHeader("Idempotent-Replayed", "true");
    });
    const { outcome } = writer.state;
    if (entry !== undefined && outcome === "none")
      await deps.addEntry(result.status === acceptedStatus ? entry : describe(result.status));
    return result;
  };
}

/**
 * Runs the handler, and retries it after a conflict with another request with the same key, whose result may have
 * become visible only after this request had looked for it.
 */
async function run<Result>({ request, state, db }: Writer, handle: () => Promise<Result>): Promise<Result> {
  const { key } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      return await handle();
    } catch (error) {
      if (isWaitingForIdempotencyKey(error)) throw idempotencyKeyInUse();
      // What has a stored result stays as it is, such as the end of a streamed message, which is stored with its rejection.
      if (key === undefined || state.outcome !== "none") throw error;
      const isRetried = isRejection(error)
        ? !(await storeRejection(db, key, error))
        : await mayRetry(key, state.db, error);
      if (attempt === maxAttempts || !isRetried) throw error;
    }
  }
}

function prepareIdempotencyKeys({ keyMaker }: Deps) {
  const fingerprintKey = createSecretKey(keyMaker.derive("idempotent requests"));
  const masterName = `master ${keyMaker.masterId.toString("base64url")}`;
  return async (
    id: string,
    caller: Caller,
    { params, query, body, req }: Call,
  ): Promise<IdempotencyKey | undefined> => {
    const key = req.headers["idempotency-key"];
    if (typeof key !== "string") return undefined;
    const digest = createHmac("sha256", fingerprintKey);
    await runInSlices(partsOf([id, params, query, body]), (part) => digest.update(part));
    return {
      caller: caller.kind === "master" ? masterName : nameCaller(caller),
      key,
      fingerprint: digest.digest("hex"),
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
