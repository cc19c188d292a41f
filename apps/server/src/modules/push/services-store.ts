import { type Db, databaseNow, type Statement } from "../../db/db";

/** A push service with registered devices. */
export interface ServiceRow {
  readonly service: string;
  readonly provider: string;
  readonly deviceCount: number;
  readonly waitingCount: number;
  readonly failingSince: number | null;
  readonly error: string | null;
}

const maxServices = 100;

/** Failing services first, then by number of devices, so that services registered for single devices do not hide others. */
export const listServices = (db: Db): Promise<ServiceRow[]> => db.query(list, [maxServices]);

/** Stores that a push failed, or that one was accepted after failures. */
export async function recordService(db: Db, service: string, error: string | null): Promise<void> {
  await (error === null ? db.query(recordSuccess, [service]) : db.query(recordFailure, [service, error]));
}

const list: Statement<ServiceRow> = {
  name: "push.list-services",
  text: `SELECT device.service, provider, count(*) AS "deviceCount", (
        SELECT count(*) FROM push_entries entry WHERE entry.service = device.service) AS "waitingCount",
      failing_since AS "failingSince", error
    FROM devices device LEFT JOIN push_services state ON state.service = device.service
    GROUP BY device.service, provider, failing_since, error
    ORDER BY failing_since IS NULL, count(*) DESC, device.service LIMIT $1`,
};

const recordFailure: Statement<unknown> = {
  name: "push.record-failure",
  text: `INSERT INTO push_services AS state (service, failing_since, error) VALUES ($1, ${databaseNow}, $2)
    ON CONFLICT (service) DO UPDATE SET failing_since = COALESCE(state.failing_since, excluded.failing_since),
      error = excluded.error`,
};

const recordSuccess: Statement<unknown> = {
  name: "push.record-success",
  text: "DELETE FROM push_services WHERE service = $1",
};
