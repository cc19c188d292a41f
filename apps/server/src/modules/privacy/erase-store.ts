import { erasedUserId } from "@madang/contract";
import { type HasPk, pksOf } from "../../chat/channels/end-roles-store";
import { isHeld } from "../../chat/channels/lock-store";
import type { ErasureStep } from "../../chat/erasure";
import { sweepDeletedUsers } from "../../chat/members/sweep-users-store";
import type { Removals } from "../../chat/module";
import { type Db, databaseNow, readSchemas, type Statement, type Tx } from "../../db/db";
import type { Row } from "../../db/row";
import { inRounds, type Progress } from "../../jobs/run-jobs";
import { mentionsOf, messages } from "./personal-rows-store";
import { eraseResults, hasEarlierRequests, type ResultCursor } from "./results-store";
import { erasePersonalRows } from "./walk-store";

interface EraserDeps extends Omit<Removals, "removeChannel"> {
  readonly db: Db;
  readonly now: () => number;
}

/**
 * Returns a function that does the next small step of the running erasures. No row says how far an erasure is: a round visits
 * everything that is left of its users. If the process is killed, the next round begins from the start, and finds less.
 */
export function createEraser(deps: EraserDeps): () => Promise<boolean | "waiting"> {
  const onHold: OnHold = new Map();
  return inRounds(() => eraseAll(deps, onHold));
}

type RunningErasure = Row<"Erasure", "pk" | "userId" | "messages">;

/** The channels in which the last round of an erasure left something. */
type OnHold = Map<number, readonly number[]>;

async function* eraseAll(deps: EraserDeps, onHold: OnHold): AsyncGenerator<Progress, undefined> {
  const { db } = deps;
  for (const erasure of await db.query(listRunning)) {
    const left = onHold.get(erasure.pk) ?? [];
    if (left.length > 0 && (await countHeld(db, left)) === left.length) continue;
    onHold.set(erasure.pk, yield* erase(deps, erasure));
  }
}

/** One round of an erasure. Returns the channels on hold in which it left something; without any, the erasure is done. */
async function* erase(
  { db, now, removeUsers, personalRows, eraseRest }: EraserDeps,
  { pk, userId, messages: choice }: RunningErasure,
): AsyncGenerator<Progress, readonly number[]> {
  const found = await db.query(listUsers, [userId, pk]);
  const users = pksOf(found);
  const createdAt = found.map((user) => user.createdAt);
  await db.query(eraseNames, [users, now(), erasedUserId]);
  // Requests that begin after this time cannot read the names.
  const [clock] = await db.query(readClock);
  if (clock === undefined) throw new Error("PostgreSQL did not return its time.");
  // The events of the sweeper have the id, so it is erased last.
  while ((await db.query(findUnswept, [users])).length > 0)
    yield (await sweepDeletedUsers(db, removeUsers)) || "waiting";

  // Waits for the requests that began before: what these store, such as the messages of an import, is visible then.
  while (await hasEarlierRequests(db, clock.at)) yield "waiting";

  const held = { channels: new Set<number>(), messages: 0 };
  const inSteps = <At>(work: (tx: Tx, at: At | undefined) => Promise<ErasureStep<At>>) =>
    repeat(db, pk, work, (step) => {
      for (const channel of step.heldChannels ?? []) held.channels.add(channel);
      held.messages += step.heldMessages ?? 0;
    });
  const all = [...personalRows, mentionsOf(userId), ...(choice === "erase" ? [messages] : [])];
  for (const schemaIndex of db.schemas().keys())
    for (const each of all)
      for (const userPk of users)
        yield* inSteps<readonly number[]>((tx, after) =>
          erasePersonalRows(tx, each, { erasurePk: pk, schemaIndex, userPk }, after),
        );
  for (const eraseSome of eraseRest)
    yield* inSteps<readonly number[]>((tx, after) => eraseSome(tx, users, after));
  yield* inSteps<ResultCursor>((tx, after) => eraseResults(tx, { userId, createdAt }, after));
  await db.query(eraseIds, [users, erasedUserId]);
  const isDone = held.channels.size === 0;
  await db.query(finish, [pk, isDone ? null : held.messages, isDone ? now() : null]);
  return [...held.channels];
}

/** Repeats a step, each time in a transaction that no other process has while it works on the erasure. */
async function* repeat<At>(
  db: Db,
  erasurePk: number,
  work: (tx: Tx, at: At | undefined) => Promise<ErasureStep<At>>,
  onStep: (step: ErasureStep<At>) => void,
): AsyncGenerator<Progress, undefined> {
  let at: At | undefined;
  do {
    const step = await db.transaction(async (tx) => {
      const [erasure] = await tx.query(claim, [erasurePk]);
      if (erasure === undefined) return undefined;
      // Another process can have finished it.
      return erasure.status === "done" ? { next: undefined } : work(tx, at);
    });
    if (step === undefined) {
      yield "waiting";
      continue;
    }
    onStep(step);
    at = step.next;
    yield true;
    if (at === undefined) return;
  } while (true);
}

async function countHeld(db: Db, channels: readonly number[]): Promise<number> {
  return (await readSchemas(db, listHeld, [channels])).flat().length;
}

/** In any order, so that two processes rarely wait for each other. */
const listRunning: Statement<RunningErasure> = {
  name: "privacy.list-running",
  text: `SELECT pk, user_id AS "userId", messages FROM erasures WHERE status = 'running' ORDER BY random()`,
};

const claim: Statement<Row<"Erasure", "status">> = {
  name: "privacy.claim",
  text: "SELECT status FROM erasures WHERE pk = $1 FOR NO KEY UPDATE SKIP LOCKED",
};

/** Includes the users of earlier erasures of the id, because those may have kept the messages. */
const listUsers: Statement<Row<"User", "pk" | "createdAt">> = {
  name: "privacy.list-users",
  text: `SELECT pk, created_at AS "createdAt" FROM erased_users e JOIN users ON pk = user_pk
    WHERE e.user_id = $1 AND erasure_pk <= $2 ORDER BY pk`,
};

const eraseNames: Statement<unknown> = {
  name: "privacy.erase-names",
  text: `UPDATE users SET name = 'Deleted user', profile_url = NULL, meta = '{}', suspended_until = NULL,
      suspension_reason = NULL, updated_at = GREATEST($2::bigint, updated_at + 1), needs_sweep = true
    WHERE pk = ANY ($1::bigint[]) AND user_id <> $3 RETURNING 1`,
};

const eraseIds: Statement<unknown> = {
  name: "privacy.erase-ids",
  text: "UPDATE users SET user_id = $2 WHERE pk = ANY ($1::bigint[]) AND user_id <> $2 RETURNING 1",
};

const readClock: Statement<{ at: number }> = {
  name: "privacy.read-clock",
  text: `SELECT ${databaseNow} AS at`,
};

const findUnswept: Statement<unknown> = {
  name: "privacy.find-unswept",
  text: "SELECT 1 FROM users WHERE pk = ANY ($1::bigint[]) AND needs_sweep",
};

const listHeld: Statement<HasPk> = {
  name: "privacy.list-held",
  text: `SELECT pk FROM channels WHERE pk = ANY ($1::bigint[]) AND ${isHeld}`,
};

// $3: when the erasure was done. Null while a channel is on hold.
const finish: Statement<unknown> = {
  name: "privacy.finish",
  text: `WITH counted AS (
      DELETE FROM erasure_channels WHERE erasure_pk = $1 AND $3::bigint IS NOT NULL
    )
    UPDATE erasures SET held_messages = $2, completed_at = $3::bigint,
      status = CASE WHEN $3::bigint IS NULL THEN 'running' ELSE 'done' END
    WHERE pk = $1 AND status = 'running' RETURNING 1`,
};
