import type { AddressInfo } from "node:net";
import { scripts } from "./scripts";
import { createFaultyServer } from "./wire";

/** Starts the faulty server on a free port and returns its URL. */
export async function startFaultyServer(): Promise<{ url: string; close(): void }> {
  const server = createFaultyServer(scripts);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
