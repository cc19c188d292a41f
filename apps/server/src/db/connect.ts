import { connectCitus } from "./citus/connect";
import { openOnlySchema, openSession } from "./connection/open-session";
import { createChannelTurns, type DbSettings, managePools, openPool } from "./connection/pool";
import { createStatementRunner } from "./connection/run-statement";
import type { Database } from "./db";

export function connect(settings: DbSettings): Database {
  const { schemaMap } = settings;
  return schemaMap === undefined ? connectPlain(settings) : connectCitus({ ...settings, schemaMap });
}

function connectPlain(settings: DbSettings): Database {
  const pool = openPool(settings);
  const channelTurns = createChannelTurns(settings);
  const session = openSession(pool, createStatementRunner(settings), channelTurns, openOnlySchema);
  return { ...session, ...managePools(pool, settings, channelTurns) };
}
