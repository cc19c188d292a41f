import type { Database } from "../../../db/db";
import { requireSecret } from "../../../db/secrets";
import { type Marker, markerName, storageUnavailable } from "./storage";

/** Whose files a storage must have. */
export interface Owner {
  readonly databaseId: string;
  /** Whether the database knows of files. */
  readonly hasFiles: () => Promise<boolean>;
}

/**
 * Makes sure that a storage is that of the database: a folder may have lost its disk, and then files would go elsewhere. An empty
 * storage becomes that of a database without files.
 */
export async function requireMarker(marker: Marker, { databaseId, hasFiles }: Owner, storage: string) {
  const found = await marker.read();
  if (found === databaseId) return;
  if (found !== undefined)
    throw wrongStorage(
      `MADANG_FILES names ${storage}, which has the files of another database. Give each database a storage of its own. If the files there belong to this one, run madang-server files adopt.`,
    );
  if (await hasFiles())
    throw wrongStorage(
      `MADANG_FILES names ${storage}, where ${markerName} is missing, and the database knows of files. Mount the disk with the files there. If it is the right place, run madang-server files adopt.`,
    );
  await marker.write(databaseId);
  // Another database may have been faster.
  if ((await marker.read()) !== databaseId)
    throw wrongStorage(`MADANG_FILES names ${storage}, which another database has taken just now.`);
}

const wrongStorage = (message: string) => storageUnavailable(new Error(message));

/** A database, of which all processes know the id. */
export const findOwner = async (db: Database, randomBytes: (length: number) => Buffer): Promise<Owner> => ({
  databaseId: (await requireSecret(db, "storage of files", randomBytes)).toString("hex"),
  async hasFiles() {
    for (const schema of db.schemas()) if ((await schema.query(findAny)).length > 0) return true;
    return false;
  },
});

const findAny = { name: "files.find-any", text: "SELECT 1 FROM files LIMIT 1" };
