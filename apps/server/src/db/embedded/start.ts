import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { claim } from "./claim";
import { initialiseOnce, launch, stopCluster, stopOrphan } from "./cluster";
import { createEndpoint } from "./endpoint";
import { prepareInstallation } from "./installation";
import { readOrCreateSecret } from "./secret-file";
import { superuser, urlOf } from "./url";
import { createDatabaseOnce, waitUntilReady } from "./wait-until-ready";

export interface EmbeddedPostgres {
  /** For a client that supports `require_auth`. */
  readonly url: string;
  /** Shuts PostgreSQL down; transactions that are still open are rolled back. */
  stop(): Promise<void>;
}

const database = "madang";

/**
 * Starts the PostgreSQL from npm, with its data below `folder`, which is initialised once. If a killed process left a
 * PostgreSQL running there, it is stopped first. `flags` are additional options of `postgres`.
 */
export async function startEmbeddedPostgres(
  folder: string,
  flags: readonly string[] = [],
  platform = process.platform,
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true });
  // Undone in reverse order, also when a later step fails.
  const undo = [await claim(join(folder, "owner"))];
  const stop = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const installation = await prepareInstallation(folder);
    const password = await readOrCreateSecret(join(folder, "password"), createPassword);
    await initialiseOnce(installation, superuser, password);
    await stopOrphan(installation);
    const endpoint = await createEndpoint(installation.identity, platform);
    undo.push(endpoint.remove);
    const server = launch(installation, [...endpoint.options, ...flags]);
    undo.push(() => stopCluster(installation));
    const maintenance = urlOf(endpoint.authority, password, "postgres");
    await waitUntilReady(server, maintenance, installation.log);
    await createDatabaseOnce(maintenance, database);
    return { url: urlOf(endpoint.authority, password, database), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const createPassword = () => randomBytes(24).toString("base64url");
