import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startEmbeddedPostgres } from "../db/embedded/start";
import { requireMasterKey, type Settings } from "../env";

export interface OpenDatabase {
  readonly url: string;
  readonly masterKey: string;
  readonly isEmbedded: boolean;
  /** The file that holds the master key, where this service made it. */
  readonly masterKeyFile: string | undefined;
  close(): Promise<void>;
}

/** The database of the settings; without one, the embedded PostgreSQL, with a master key that is made once. */
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
  await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres(join(folder, "postgres"));
  const masterKeyFile = settings.MADANG_MASTER_KEY === undefined ? join(folder, "master-key") : undefined;
  return {
    url: postgres.url,
    masterKey: settings.MADANG_MASTER_KEY ?? (await readOrMakeKey(join(folder, "master-key"))),
    isEmbedded: true,
    masterKeyFile,
    close: postgres.stop,
  };
}

async function readOrMakeKey(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => "");
  if (known.trim() !== "") return known.trim();
  const key = `mk_${randomBytes(32).toString("base64url")}`;
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}
