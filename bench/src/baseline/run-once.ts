import pg from "pg";
import { type Incoming, type Outgoing, respond, type Tools } from "./route";

/** A statement that changes something, without and with an idempotency key. */
export interface Change {
  readonly plain: Statement;
  readonly keyed: Statement;
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * `effects` are common table expressions, `select` returns rows. With a key, the rows are stored under it; a key that
 * was used before makes the whole statement fail.
 */
export function defineChange(name: string, effects: string, select: string): Change {
  const at = Math.max(...[...`${effects}${select}`.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index)));
  const keyed = `WITH ${effects}, effect AS MATERIALIZED (${select}), stored_key AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, result, created_at)
      SELECT 'baseline', $${at + 1}, $${at + 2}::bytea, json_agg(effect), $${at + 3}::bigint
      FROM effect HAVING count(*) > 0
    ) SELECT * FROM effect`;
  return {
    plain: { name, text: `WITH ${effects} ${select}` },
    keyed: { name: `${name}-keyed`, text: keyed },
  };
}

/** Runs a change, or returns the result that is stored under the key. Undefined if the change returns no rows. By default, it creates. */
export async function runOnce<Row extends object>(
  { pool }: Tools,
  { once }: Incoming,
  { plain, keyed }: Change,
  values: readonly unknown[],
  present: (rows: readonly Row[]) => unknown,
  status = 201,
): Promise<Outgoing | undefined> {
  if (once === undefined) {
    const { rows } = await pool.query<Row>({ ...plain, values: [...values] });
    return rows.length === 0 ? undefined : respond(status, present(rows));
  }
  try {
    const all = [...values, once.key, once.fingerprint, Date.now()];
    const { rows } = await pool.query<Row>({ ...keyed, values: all });
    if (rows.length > 0) return respond(status, present(rows));
  } catch (error) {
    const isUsed = error instanceof pg.DatabaseError && error.constraint === "idempotency_keys_pkey";
    if (!isUsed) throw error;
  }
  const stored = await pool.query({ ...findKey, values: [once.key] });
  if (stored.rows.length === 0) return undefined;
  const [{ fingerprint, result }] = stored.rows;
  if (!once.fingerprint.equals(fingerprint)) return respond(409);
  return { ...respond(status, present(result)), isReplayed: true };
}

const findKey: Statement = {
  name: "find-key",
  text: "SELECT fingerprint, result FROM idempotency_keys WHERE caller = 'baseline' AND key = $1",
};
