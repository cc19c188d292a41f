import type pg from "pg";
import { connectionStringFor } from "./connection-string";

/** Of each connection to PostgreSQL that stores use: a session of the database, not one of the console. */
export interface SessionSettings {
  readonly url: string;
  /** A statement that takes longer, including any wait for a lock, is cancelled. */
  readonly statementTimeoutMs: number;
}

/** The lock timeout as a share of the statement timeout: shorter, so that the two errors can be distinguished. */
const lockShare = 0.8;

/** How long a statement waits for a lock. */
export const lockTimeoutMs = ({ statementTimeoutMs }: SessionSettings): number =>
  Math.ceil(statementTimeoutMs * lockShare);

/** If PostgreSQL has not responded this long after the statement timeout, the connection is closed. */
const cancelGraceMs = 300;

/** What PostgreSQL is set to in every session of the stores, as `pg_settings` shows it. */
export function listSessionSettings(settings: SessionSettings) {
  const { statementTimeoutMs } = settings;
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs(settings)),
    idle_in_transaction_session_timeout: String(statementTimeoutMs),
    // Every statement has one good plan, whatever its values. By default, PostgreSQL plans some of them on each call.
    plan_cache_mode: "force_generic_plan",
    // Reads in index order: a bitmap would read all unread messages of a channel to count 100 of them.
    enable_bitmapscan: "off",
    // A plan that was made while a table was small is used until PostgreSQL analyzes the table.
    enable_seqscan: "off",
    // Before PostgreSQL 18, the plan of a statement that has no index would seem expensive enough to be compiled.
    jit: "off",
  };
}

/** The configuration of a connection with these settings. */
export function sessionConfig(settings: SessionSettings): pg.ClientConfig {
  // All in `options`, the one startup parameter that a pooler has to accept.
  const options = Object.entries(listSessionSettings(settings)).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: connectionStringFor(settings.url),
    application_name: "madang",
    query_timeout: settings.statementTimeoutMs + cancelGraceMs,
    options: options.join(" "),
  };
}
