import { startProcess } from "../faults/process";
import { isLong } from "../support/report";
import { startServerOn } from "../support/server";

export interface Rival {
  readonly url: string;
  close(): Promise<void>;
}

/** Another server on the same database, with its own connections and state: in the long form, a process of its own. */
export async function startRival(databaseUrl: string): Promise<Rival> {
  if (!isLong) return startServerOn(databaseUrl);
  const server = await startProcess(databaseUrl);
  return {
    url: server.url,
    async close() {
      await server.end("SIGTERM");
    },
  };
}
