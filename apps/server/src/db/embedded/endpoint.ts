import { chown, mkdtemp, rm, rmdir } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { canReach, type Identity } from "./identity";

interface Endpoint {
  /** Command-line options of `postgres`. */
  readonly options: readonly string[];
  /** Host and port as in a URL. */
  readonly authority: string;
  remove(): Promise<void>;
}

/** A Unix socket in a private folder; on Windows, where PostgreSQL has none by default, a port on the loopback interface. */
export function createEndpoint(identity: Identity, platform = process.platform): Promise<Endpoint> {
  return platform === "win32" ? createPort() : createSocketFolder(identity);
}

const prefix = "madang-";
/** Only part of the socket's name: there is no TCP. */
const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;
/** The max length of a socket path: 103 bytes on macOS, 107 on Linux. */
const maxPathBytes = 103;

async function createSocketFolder(identity: Identity): Promise<Endpoint> {
  const folder = await mkdtemp(join(findParent(identity), prefix));
  if (identity.uid !== undefined && identity.gid !== undefined)
    await chown(folder, identity.uid, identity.gid);
  return {
    options: [
      ...["-p", String(socketPort), "-c", "listen_addresses="],
      ...["-c", `unix_socket_directories="${folder}"`, "-c", "unix_socket_permissions=0700"],
    ],
    authority: `${encodeURIComponent(folder)}:${socketPort}`,
    remove: () => removeSocketFolder(folder),
  };
}

/** A folder with a short path: that of the data folder may be too long for a socket. */
function findParent({ uid }: Identity): string {
  const parent = [tmpdir(), "/tmp"].find((candidate) => {
    const path = join(candidate, `${prefix}XXXXXX`, socketName);
    return Buffer.byteLength(path) <= maxPathBytes && (uid === undefined || canReach(uid, candidate));
  });
  if (parent === undefined)
    throw new Error(
      "The paths of the temporary folders are too long for a socket. Set TMPDIR to a shorter one.",
    );
  return parent;
}

/** Removes only the socket and its folder: the path may come from a file that another process wrote. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(prefix)) return;
  for (const name of [socketName, `${socketName}.lock`]) await rm(join(folder, name), { force: true });
  await rmdir(folder).catch(() => undefined);
}

/**
 * Another program may take the port before PostgreSQL does. PostgreSQL then exits, and clients do not reveal the password
 * because the URL requires SCRAM.
 */
async function createPort(): Promise<Endpoint> {
  const port = await findFreePort();
  return {
    options: ["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    authority: `127.0.0.1:${port}`,
    remove: async () => undefined,
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()));
    });
  });
}

export const superuser = "madang";
export const database = "madang";

/** The URL of a database of the embedded PostgreSQL, for a client that knows `require_auth`. */
export const urlOf = (authority: string, password: string, database: string) =>
  `postgresql://${superuser}:${password}@${authority}/${database}?require_auth=scram-sha-256`;
