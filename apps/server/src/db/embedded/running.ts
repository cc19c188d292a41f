import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { database, urlOf } from "./endpoint";
import { findData } from "./installation";
import { onEmbedded } from "./wait-until-ready";

/** The URL of the embedded database below a folder, or undefined if no PostgreSQL runs there. */
export async function findRunning(folder: string): Promise<string | undefined> {
  const read = (path: string) => readFile(path, "utf8").catch(() => "");
  const pidFile = await read(join(findData(folder), "postmaster.pid"));
  const password = (await read(join(folder, "password"))).trim();
  // The lines are: process, data folder, start, port, folder of the socket, address.
  const [, , , port, socketFolder = "", address = ""] = pidFile.split("\n");
  if (port === undefined) return undefined;
  const host = socketFolder === "" ? address : encodeURIComponent(socketFolder);
  const isRunning = await onEmbedded(urlOf(`${host}:${port}`, password, "postgres"), async () => true)
    // A killed process leaves the file behind.
    .catch(() => false);
  return isRunning ? urlOf(`${host}:${port}`, password, database) : undefined;
}
