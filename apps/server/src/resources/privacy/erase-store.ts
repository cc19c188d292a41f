import type { Queryable, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { databaseNow } from "../../db/statement";
import { sweepDeletedUsers } from "../users/delete-store";
import { messagesOf } from "./erase-messages-store";
import { eraseSomeReports, type ReportCursor } from "./erase-reports-store";
import { eraseResults, hasEarlierRequests, type ResultCursor } from "./erase-results-store";
import { type EventCursor, eraseSomeEvents, mentionsOf, reactions } from "./erase-traces-store";
import { resumeErasures } from "./hold-store";
import { type Cursor, eraseSome } from "./walk-store";

/**
 * The stages of an erasure, in order. An erasure that keeps the messages skips `messages`. `sweep` and `results` only wait. `keys`
 * follows all stages that erase reports, because it removes the stored results of erased ones.
 */
const stages = [
  "roles",
  "sweep",
  "reactions",
  "mentions",
  "messages",
  "results",
  "events",
  "reports",
  "keys",
  "row",
] as const;
type Stage = (typeof stages)[number];

/** An erasure that is running. */
interface RunningErasure extends Row<"Erasure", "pk" | "userId" | "messages" | "cleanBefore"> {
  readonly stage: Stage;
  /** The progress of the stage, in a format of its own. Empty at its beginning. */
  readonly cursor: object;
}

/** The new cursor of a stage. Undefined: the stage is done. */
type Progress = object | undefined;

/**
 * Does one small step of the oldest erasure that no other process works on. A step is one transaction with its counts and
 * its progress, so an erasure that was interrupted continues after its last step.
 */
export async function stepErasures(db: Queryable, now: () => number): Promise<"idle" | "worked" | "waiting"> {
  const outcome = await db.transaction(async (tx) => {
    const [erasure] = await tx.query(claim);
    if (erasure === undefined) {
      if ((await tx.query(findRunning)).length > 0) return "waiting";
      return (await resumeErasures(tx)) ? "worked" : "idle";
    }
    const { pk, userId, stage, cleanBefore } = erasure;
    const users = (await tx.query(listUsers, [userId, pk])).map((user) => user.pk);
    if (stage === "sweep" && (await tx.query(findUnswept, [users])).length > 0) return "unswept";
    // A request that began before `cleanBefore` may still store a result with the name.
    if (stage === "results" && (await hasEarlierRequests(tx, cleanBefore ?? 0))) return "waiting";
    const progress = await run(tx, erasure, users, now());
    if (progress !== undefined) await tx.query(setProgress, [pk, stage, progress]);
    else if (stage === "row") await tx.query(complete, [pk, now()]);
    else await tx.query(setProgress, [pk, stageAfter(erasure), {}]);
    return "worked";
  });
  if (outcome !== "unswept") return outcome;
  return (await sweepDeletedUsers(db)) ? "worked" : "waiting";
}

function stageAfter({ stage, messages }: RunningErasure): Stage {
  const left = stages
    .slice(stages.indexOf(stage) + 1)
    .filter((each) => each !== "messages" || messages === "erase");
  return left[0] ?? "row";
}

async function run(
  tx: Queryable,
  { pk, messages, stage, cursor, userId, cleanBefore }: RunningErasure,
  users: readonly number[],
  now: number,
): Promise<Progress> {
  switch (stage) {
    case "roles":
      return beginWithRoles(tx, pk, now);
    case "sweep":
    case "results":
      return undefined;
    case "reactions":
      return eraseSome(tx, reactions, pk, users, cursor as Partial<Cursor>);
    case "mentions":
      return eraseSome(tx, mentionsOf(userId), pk, users, cursor as Partial<Cursor>);
    case "messages":
      return eraseSome(tx, messagesOf(tx), pk, users, cursor as Partial<Cursor>);
    case "events":
      return eraseSomeEvents(tx, users, cursor as Partial<EventCursor>);
    case "reports":
      return eraseSomeReports(tx, { pk, messages }, users, cursor as Partial<ReportCursor>);
    case "keys":
      return eraseResults(tx, { userId, cleanBefore: cleanBefore ?? 0 }, cursor as Partial<ResultCursor>);
    case "row":
      await tx.query(eraseIds, [users]);
      return undefined;
  }
}

/**
 * Counts the roles of newly included users, schedules their removal, and erases the names. Then stores the time as
 * `cleanBefore`: later requests cannot read the names, so later results do not contain them.
 */
async function beginWithRoles(tx: Queryable, pk: number, now: number): Promise<undefined> {
  const users = (await tx.query(listNewUsers, [pk])).map((user) => user.pk);
  const channels: number[] = [];
  for (const shard of tx.shards())
    channels.push(...(await shard.query(listRoles, [users])).map(({ channelPk }) => channelPk));
  await tx.query(countRoles, [pk, channels]);
  await tx.query(eraseNames, [users, now]);
  await tx.query(setCleanBefore, [pk]);
  return undefined;
}

const claim: Statement<RunningErasure> = {
  name: "privacy.claim",
  text: `SELECT pk, user_id AS "userId", messages, stage, cursor, clean_before AS "cleanBefore" FROM erasures
    WHERE status = 'running' ORDER BY pk LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
};

const findRunning: Statement<unknown> = {
  name: "privacy.find-running-elsewhere",
  text: "SELECT 1 FROM erasures WHERE status = 'running' LIMIT 1",
};

/** Includes the users of earlier erasures of the id, because those may have kept the messages. */
const listUsers: Statement<{ pk: number }> = {
  name: "privacy.list-users",
  text: "SELECT user_pk AS pk FROM erased_users WHERE user_id = $1 AND erasure_pk <= $2 ORDER BY user_pk",
};

const listNewUsers: Statement<{ pk: number }> = {
  name: "privacy.list-new-users",
  text: `SELECT user_pk AS pk FROM erased_users
    WHERE user_id = (SELECT user_id FROM erasures WHERE pk = $1) AND erasure_pk = $1 ORDER BY user_pk`,
};

const listRoles: Statement<{ channelPk: number }> = {
  name: "privacy.list-roles",
  text: (["members", "managers"] as const)
    .map(
      (table) => `SELECT channel_pk AS "channelPk" FROM {${table}} m
        JOIN {channels} c ON c.pk = channel_pk AND c.deleted_at IS NULL WHERE user_pk = ANY ($1::bigint[])`,
    )
    .join(" UNION ALL "),
};

const countRoles: Statement<unknown> = {
  name: "privacy.count-roles",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk)
      SELECT DISTINCT $1::bigint, channel_pk FROM unnest($2::bigint[]) AS channel_pk RETURNING 1
    )
    UPDATE erasures SET erased_memberships = cardinality($2::bigint[]), erased_channels = (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING 1`,
};

// Later stages still need the id for their events; the stage `row` removes it.
const eraseNames: Statement<unknown> = {
  name: "privacy.erase-names",
  text: `UPDATE users SET name = 'Deleted user', profile_url = NULL, meta = '{}', suspended_until = NULL,
      suspension_reason = NULL, updated_at = GREATEST($2::bigint, updated_at + 1), needs_sweep = true
    WHERE pk = ANY ($1::bigint[]) RETURNING 1`,
};

const setCleanBefore: Statement<unknown> = {
  name: "privacy.note-time",
  text: `UPDATE erasures SET clean_before = ${databaseNow} WHERE pk = $1 RETURNING 1`,
};

const findUnswept: Statement<unknown> = {
  name: "privacy.find-unswept",
  text: "SELECT 1 FROM users WHERE pk = ANY ($1::bigint[]) AND needs_sweep",
};

const setProgress: Statement<unknown> = {
  name: "privacy.set-progress",
  text: "UPDATE erasures SET stage = $2, cursor = $3::jsonb WHERE pk = $1 RETURNING 1",
};

const eraseIds: Statement<unknown> = {
  name: "privacy.erase-ids",
  text: "UPDATE users SET user_id = 'deleted' WHERE pk = ANY ($1::bigint[]) RETURNING 1",
};

const complete: Statement<unknown> = {
  name: "privacy.complete",
  text: `WITH counted AS (
      DELETE FROM erasure_channels WHERE erasure_pk = $1
        AND NOT EXISTS (SELECT FROM erasure_holds WHERE erasure_pk = $1)
    )
    UPDATE erasures SET status = 'done', completed_at = $2 WHERE pk = $1 RETURNING 1`,
};
