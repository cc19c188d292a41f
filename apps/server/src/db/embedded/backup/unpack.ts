import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chown, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import type { Identity } from "../identity";
import { manifestName, passwordName } from "./back-up";
import { readTar, type TarEntry } from "./tar";

/** Files that PostgreSQL's manifest does not list: the log is checked when PostgreSQL replays it. */
const unlisted = /^pg_wal\//;

const manifestSchema = z.object({
  Files: z.array(z.object({ Path: z.string(), Size: z.int(), Checksum: z.string() })),
});

/**
 * Unpacks a backup to a new folder, compares every file with PostgreSQL's manifest, and returns the password that the
 * cluster expects. Throws if anything is missing, changed or too much.
 */
export async function unpack(file: string, folder: string, identity: Identity): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  await setOwner(folder, identity);
  const found = new Map<string, string>();
  const own = new Map<string, Buffer>();
  await pipeline(createReadStream(file), createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const entry of readTar(bytes)) {
      const path = join(folder, entry.name);
      if (entry.type === "folder") await mkdir(path, { recursive: true, mode: 0o700 });
      else if (entry.name === manifestName || entry.name === passwordName)
        own.set(entry.name, await readAll(entry.content));
      else found.set(entry.name, await writeEntry(path, entry));
      if (!own.has(entry.name)) await setOwner(path, identity);
    }
  });
  const [manifest, password] = [own.get(manifestName), own.get(passwordName)];
  if (manifest === undefined || password === undefined) throw new Error("It is not a backup of Madang.");
  compare(manifestSchema.parse(JSON.parse(manifest.toString())).Files, found);
  return password.toString();
}

async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the size and the checksum of the file. */
async function writeEntry(path: string, { mode, content }: TarEntry): Promise<string> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", mode & 0o700);
  let size = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return `${size} ${hash.digest("hex")}`;
}

function compare(
  listed: readonly { Path: string; Size: number; Checksum: string }[],
  found: ReadonlyMap<string, string>,
): void {
  const paths = new Set(listed.map(({ Path }) => Path));
  const surplus = [...found.keys()].find((path) => !paths.has(path) && !unlisted.test(path));
  if (surplus !== undefined) throw new Error(`It contains ${surplus}, which its manifest does not list.`);
  for (const { Path, Size, Checksum } of listed)
    if (found.get(Path) !== `${Size} ${Checksum}`) throw new Error(`${Path} is missing or damaged.`);
}

async function setOwner(path: string, { uid, gid }: Identity): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
