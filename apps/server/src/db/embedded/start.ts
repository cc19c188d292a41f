import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { initialiseOnce, launch, stopCluster, stopOrphan } from "./cluster";
import { createEndpoint, database, superuser, urlOf } from "./endpoint";
import { type Installation, prepareInstallation } from "./installation";
import { lockFolder, lockOutside } from "./lock-folder";
import { readOrCreateSecret } from "./secret-file";
import { createDatabaseOnce, waitUntilReady } from "./wait-until-ready";

export interface EmbeddedPostgres {
  /** For a client that supports `require_auth`. */
  readonly url: string;
  /** Rejects when PostgreSQL ends without having been stopped. */
  readonly failed: Promise<never>;
  /** Shuts PostgreSQL down; transactions that are still open are rolled back. */
  stop(): Promise<void>;
}

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
  // Undone once, in reverse order, also when a later step fails.
  const undo: (() => unknown)[] = [lockFolder(folder)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const installation = await prepareInstallation(folder);
    undo.push(lockOutside(folder, installation.data));
    const password = await readOrCreateSecret(join(folder, "password"), createPassword);
    await initialiseOnce(installation, superuser, password);
    await stopOrphan(installation);
    const endpoint = await createEndpoint(installation.identity, platform);
    undo.push(endpoint.remove);
    const server = launch(installation, [...endpoint.options, ...flags]);
    let isStopping = false;
    let hasEnded = false;
    const failed = new Promise<never>((_resolve, reject) =>
      server.once("exit", (code, signal) => {
        hasEnded = true;
        if (!isStopping) reject(explainEnd(installation, code ?? signal));
      }),
    );
    // Without a listener, the rejection would end the process.
    failed.catch(() => undefined);
    undo.push(async () => {
      isStopping = true;
      if (!hasEnded) await stopCluster(installation);
    });
    const maintenance = urlOf(endpoint.authority, password, "postgres");
    await waitUntilReady(server, maintenance, installation.log);
    await createDatabaseOnce(maintenance, database);
    return { url: urlOf(endpoint.authority, password, database), failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const explainEnd = ({ log }: Installation, reason: unknown) =>
  new Error(
    `The embedded PostgreSQL ended unexpectedly (${reason}). Its log is ${log}. Start the server again.`,
  );

const createPassword = () => randomBytes(24).toString("base64url");
