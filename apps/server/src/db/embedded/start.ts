import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { claim } from "./claim";
import { initialiseOnce, launch, stopCluster, stopLeftover } from "./cluster";
import { createEndpoint } from "./endpoint";
import { prepareInstallation } from "./installation";
import { readOrCreateSecret } from "./secret-file";
import { createDatabaseOnce, waitUntilReady } from "./wait-until-ready";

export interface EmbeddedPostgres {
  /** For a client that knows `require_auth`. */
  readonly url: string;
  /** Shuts PostgreSQL down; transactions that are still open are rolled back. */
  stop(): Promise<void>;
}

const superuser = "madang";
const database = "madang";

/**
 * Starts the PostgreSQL that comes from npm, its data below `folder`, which is initialised once. A PostgreSQL that an
 * earlier, killed process left running is stopped first. `flags` are options of `postgres`, after our own.
 */
export async function startEmbeddedPostgres(
  folder: string,
  flags: readonly string[] = [],
  platform = process.platform,
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true });
  // Undone in the reverse order, also when a later step fails.
  const undo = [await claim(join(folder, "owner"))];
  const stop = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const installation = await prepareInstallation(folder);
    const password = await readOrCreateSecret(join(folder, "password"), createPassword);
    await initialiseOnce(installation, superuser, password);
    await stopLeftover(installation);
    const endpoint = await createEndpoint(installation.identity, platform);
    undo.push(endpoint.remove);
    const server = launch(installation, [...endpoint.options, ...flags]);
    undo.push(() => stopCluster(installation));
    const urlOf = (name: string) =>
      `postgresql://${superuser}:${password}@${endpoint.authority}/${name}?require_auth=scram-sha-256`;
    await waitUntilReady(server, urlOf("postgres"), installation.log);
    await createDatabaseOnce(urlOf("postgres"), database);
    return { url: urlOf(database), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const createPassword = () => randomBytes(24).toString("base64url");
