import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { operations } from "@madang/contract";
import type { Request, Response } from "express";
import type { Db, Queryable } from "../db/db";
import { isLockTimeout } from "../db/faults";
import { ServiceError } from "../errors";
import { localsOf } from "../http/caller";
import type { Deps } from "../subjects/deps";
import { type Answer, createAnswerSafe } from "./answer";
import { claimKey, findAnswer, type KeyOfCaller, keepAnswer } from "./store";

interface Call {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly req: Request;
  readonly res: Response;
}

type Handler = (call: Call) => Promise<Answer>;
interface Handlers {
  readonly [name: string]: Handler | Handlers;
}

/**
 * The same handlers, except that a change sent with an `Idempotency-Key` takes effect once: the key, the effect and the
 * answer are written in one transaction, and who comes later with the key gets that answer. A refusal changes
 * nothing, is not kept, and is judged anew.
 */
export function answerOnce<Router>(deps: Deps, createHandlers: (deps: Deps) => Router): Router {
  const answers = createAnswerSafe(deps.keyMaker);
  const fingerprintKey = createSecretKey(deps.keyMaker.derive("idempotent requests"));
  const masterName = `master ${deps.keyMaker.masterId.toString("base64url")}`;
  // The handlers are typed where they are written; here only their names matter.
  const handlersWith = (changed: Deps) => createHandlers(changed) as Handlers;

  const handleOnce = async (id: string, key: string, call: Call): Promise<Answer> => {
    const { caller } = localsOf(call.res);
    if (caller === undefined) throw new Error("An operation was called by nobody.");
    const of = { caller: caller.kind === "master" ? masterName : `sub ${caller.id}`, key };
    const request = JSON.stringify([id, call.params, call.query, call.body]);
    const fingerprint = createHmac("sha256", fingerprintKey).update(request).digest();
    const afterwards: (() => void)[] = [];
    try {
      return await deps.db.transaction(async (tx) => {
        if (!(await claim(tx, of, fingerprint, deps.now()))) {
          const answer = answers.unlock(of, await requireAnswer(tx, of, fingerprint), call.res);
          call.res.setHeader("Idempotent-Replayed", "true");
          return answer;
        }
        const answer = await requireHandler(handlersWith(inside(deps, tx, afterwards)), id)(call);
        await keepAnswer(tx, of, answers.lock(of, answer, call.res));
        return answer;
      });
    } catch (error) {
      answers.forget(call.res);
      throw error;
    } finally {
      for (const effect of afterwards) effect();
    }
  };

  const changes = new Set<string>(
    operations.filter(({ route }) => route.method !== "GET").map(({ id }) => id),
  );
  const wrap = (handlers: Handlers, path: string): Handlers =>
    Object.fromEntries(
      Object.entries(handlers).map(([name, entry]) => {
        const id = path + name;
        if (typeof entry !== "function") return [name, wrap(entry, `${id}.`)];
        const handler: Handler = (call) => {
          const key = call.req.headers["idempotency-key"];
          return typeof key === "string" ? handleOnce(id, key, call) : entry(call);
        };
        return [name, changes.has(id) ? handler : entry];
      }),
    );
  return wrap(handlersWith(deps), "") as Router;
}

function requireHandler(handlers: Handlers, id: string): Handler {
  let found: Handler | Handlers | undefined = handlers;
  for (const name of id.split(".")) found = typeof found === "object" ? found[name] : undefined;
  if (typeof found !== "function") throw new Error(`There is no handler for ${id}.`);
  return found;
}

async function claim(tx: Queryable, of: KeyOfCaller, fingerprint: Buffer, now: number): Promise<boolean> {
  try {
    return await claimKey(tx, of, fingerprint, now);
  } catch (error) {
    throw isLockTimeout(error) ? refuseInUse() : error;
  }
}

async function requireAnswer(tx: Queryable, of: KeyOfCaller, fingerprint: Buffer): Promise<Buffer> {
  const kept = await findAnswer(tx, of);
  // Removed for its age between two looks: the next attempt finds it free.
  if (kept === undefined) throw refuseInUse();
  if (!timingSafeEqual(kept.fingerprint, fingerprint))
    throw new ServiceError(
      "idempotency_key_reused",
      "The idempotency key came with another request before. Send a fresh one with each new request.",
    );
  return kept.answer;
}

function refuseInUse(): ServiceError {
  return new ServiceError(
    "idempotency_key_in_use",
    "The first request with this idempotency key is still running. Send this one again in a second.",
  );
}

/** The same world seen from a transaction: what is not in the database happens when the transaction has ended. */
function inside(deps: Deps, tx: Queryable, afterwards: (() => void)[]): Deps {
  const db: Db = {
    query: tx.query,
    readOnOneConnection: (work) => work(tx),
    transaction: tx.transaction,
    get prisma(): never {
      throw new Error("An operation that changes something asked outside of its transaction.");
    },
    countConnections: deps.db.countConnections,
    close: deps.db.close,
  };
  return {
    ...deps,
    db,
    keyRing: { isValid: deps.keyRing.isValid, forget: () => afterwards.push(deps.keyRing.forget) },
    onChannelDeleted: () => afterwards.push(deps.onChannelDeleted),
    onUserDeleted: () => afterwards.push(deps.onUserDeleted),
  };
}
