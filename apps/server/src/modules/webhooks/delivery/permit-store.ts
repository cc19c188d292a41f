import type { Logger } from "pino";
import type { Db, Statement } from "../../../db/db";

/** How soon a process notices that deliveries were paused or resumed. */
const maxAgeMs = 2_000;

/**
 * Whether the events of this database may be delivered to webhooks. A restored copy has the permit of another database:
 * its webhooks are those of production, so nothing is delivered until an operator confirms it. The processes that run during a
 * failover take the permit to the next timeline.
 */
export function createDeliveryPermit(db: Db, logger: Pick<Logger, "warn">): () => Promise<boolean> {
  let readAt = Number.NEGATIVE_INFINITY;
  let permit: string | undefined;
  let isGranted: boolean | undefined;
  return async () => {
    if (isGranted !== undefined && performance.now() - readAt < maxAgeMs) return isGranted;
    const [state] = await db.query(read);
    if (state === undefined) throw new Error("PostgreSQL returned no identity of the database.");
    const isInherited = state.stored === permit && clusterOf(state.stored) === clusterOf(state.current);
    if (state.stored === null) await db.query(grantFirst, [state.current]);
    else if (state.stored !== state.current && isInherited)
      await db.query(passOn, [state.current, state.stored]);
    const wasGranted = isGranted;
    isGranted = state.stored === null || state.stored === state.current || isInherited;
    permit = isGranted ? state.current : undefined;
    readAt = performance.now();
    if (!isGranted && wasGranted !== false)
      logger.warn(
        "webhooks are paused: this database was restored, or an operator paused them. Run madang-server webhooks resume to deliver its events",
      );
    return isGranted;
  };
}

/** The cluster and the database, without the timeline, which changes when a standby is promoted. */
const clusterOf = (identity: string | null) => identity?.replace(/[^/]*$/, "");

const identity = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

const read: Statement<{ readonly current: string; readonly stored: string | null }> = {
  name: "delivery-permits.read",
  text: `SELECT ${identity} AS current, (SELECT database FROM delivery_permits) AS stored`,
};

const grantFirst: Statement<unknown> = {
  name: "delivery-permits.grant-first",
  text: "INSERT INTO delivery_permits SELECT $1::text WHERE NOT EXISTS (SELECT FROM delivery_permits) ON CONFLICT DO NOTHING",
};

const passOn: Statement<unknown> = {
  name: "delivery-permits.pass-on",
  text: "UPDATE delivery_permits SET database = $1 WHERE database = $2",
};

/** What an operator runs: statements without values. */
export const pauseDeliveries = `BEGIN; DELETE FROM delivery_permits; INSERT INTO delivery_permits VALUES ('paused'); COMMIT`;
export const resumeDeliveries = `BEGIN; DELETE FROM delivery_permits; INSERT INTO delivery_permits SELECT ${identity}; COMMIT`;
