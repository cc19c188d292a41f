import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findData } from "../db/embedded/installation";
import { readOrCreateSecret } from "../db/embedded/secret-file";
import { startEmbeddedPostgres } from "../db/embedded/start";
import { SettingError } from "../errors/service-error";
import { requireMasterKey, type Settings } from "../settings/settings";

export interface OpenDatabase {
  readonly url: string;
  readonly masterKey: string;
  readonly isEmbedded: boolean;
  /** The file with the master key, if this service created it. */
  readonly masterKeyFile: string | undefined;
  /** Rejects when the embedded PostgreSQL ends unexpectedly. */
  readonly failed?: Promise<never>;
  close(): Promise<void>;
}

/** The database from the settings, or else the embedded PostgreSQL, with a master key that is created once. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  if (settings.DATABASE_URL !== undefined)
    return {
      url: settings.DATABASE_URL,
      masterKey: requireMasterKey(settings),
      isEmbedded: false,
      masterKeyFile: undefined,
      close: async () => undefined,
    };
  const folder = resolve(settings.MADANG_DATA_DIR);
  // Other users may enter the folder, but not list it: if we are root, PostgreSQL runs as another user.
  await mkdir(folder, { recursive: true, mode: 0o711 }).catch((error: Error) => {
    throw new SettingError(`MADANG_DATA_DIR ${folder} cannot be created: ${error.message}.`);
  });
  const postgresFolder = postgresFolderOf(settings);
  const masterKeyFile = settings.MADANG_MASTER_KEY === undefined ? masterKeyFileIn(folder) : undefined;
  // A first start writes the key before the database, so a database without a key is not a new one.
  const create = existsSync(findData(postgresFolder)) ? () => rejectMissingKey(folder) : createKey;
  const masterKey = masterKeyFile && (await readOrCreateSecret(masterKeyFile, create));
  const postgres = await startEmbeddedPostgres(postgresFolder);
  return {
    url: postgres.url,
    masterKey: masterKey ?? requireMasterKey(settings),
    isEmbedded: true,
    masterKeyFile,
    failed: postgres.failed,
    close: postgres.stop,
  };
}

/** The folder of the embedded database. */
export const postgresFolderOf = ({ MADANG_DATA_DIR }: Settings) => resolve(MADANG_DATA_DIR, "postgres");

/** The file with the master key of the embedded database in a data folder. */
export const masterKeyFileIn = (folder: string) => join(folder, "master-key");

function rejectMissingKey(folder: string): never {
  throw new SettingError(
    `The file ${masterKeyFileIn(folder)} is missing, and there is a database in ${folder}. Copy the saved master key to this file, or set MADANG_MASTER_KEY.`,
  );
}

const createKey = () => `mk_${randomBytes(32).toString("base64url")}`;
