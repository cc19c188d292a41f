import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { urlOf } from "./endpoint";
import { onEmbedded } from "./wait-until-ready";

/** The URL of the PostgreSQL that runs on a data folder, or undefined if none does. */
export async function findRunning(data: string, password: string): Promise<string | undefined> {
  const pidFile = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (pidFile === undefined) return undefined;
  // The lines are: process, data folder, start, port, folder of the socket, address.
  const [, , , port = "", socketFolder = "", address = ""] = pidFile.split("\n");
  const host = socketFolder === "" ? address : encodeURIComponent(socketFolder);
  const url = urlOf(`${host}:${port}`, password, "postgres");
  // A killed process leaves the file behind.
  return onEmbedded(url, async () => url).catch(() => undefined);
}
