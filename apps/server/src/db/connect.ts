import { connectCitus } from "./citus/connect";
import type { Db } from "./db";
import { openOnlySchema } from "./only-schema";
import { openSession } from "./open-session";
import { type DbSettings, managePools, openPool } from "./pool";
import { createStatementRunner } from "./run-statement";

export function connect(settings: DbSettings): Db {
  const { schemaMap } = settings;
  return schemaMap === undefined ? connectPlain(settings) : connectCitus({ ...settings, schemaMap });
}

function connectPlain(settings: DbSettings): Db {
  const pool = openPool(settings);
  const session = openSession(pool, createStatementRunner(settings), openOnlySchema);
  return { ...session, ...managePools(pool, settings) };
}
