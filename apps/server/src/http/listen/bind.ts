import type { Server } from "node:net";
import { SettingError } from "../../errors";

export interface Address {
  readonly PORT: number;
  readonly HOST: string;
}

/** Opens the port, and returns its URL, e.g. `http://127.0.0.1:3000`. */
export async function bind(server: Server, { PORT, HOST }: Address): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, PORT, HOST)));
    server.listen(PORT, HOST, resolve);
  });
  return urlOf(server, HOST);
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return new SettingError(
      `PORT ${port} is in use on ${host}. Stop the other program, or set PORT to another number.`,
    );
  if (error.code === "EACCES")
    return new SettingError(`This user may not listen on PORT ${port}. Set PORT to a number above 1023.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new SettingError(`HOST ${host} is not an address of this machine.`);
  return error;
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
