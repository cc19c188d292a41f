import type { Server } from "node:net";
import { SettingError } from "../../errors/service-error";

export interface Address {
  readonly PORT: number;
  readonly HOST: string;
  /** Whether a worker does not share the port with the others. */
  readonly exclusive?: boolean;
}

const ownNames = { port: "PORT", host: "HOST" };

/** Opens the port, and returns its URL, e.g. `http://127.0.0.1:3000`. An error names the settings of the address. */
export async function bind(
  server: Server,
  { PORT, HOST, exclusive = false }: Address,
  names = ownNames,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, PORT, HOST, names)));
    server.listen({ port: PORT, host: HOST, exclusive }, resolve);
  });
  const address = server.address();
  return urlOf(HOST, typeof address === "object" && address !== null ? address.port : 0);
}

function explain(
  error: NodeJS.ErrnoException,
  port: number,
  host: string,
  names: Readonly<typeof ownNames>,
): Error {
  // The other program may be an earlier process that is about to end.
  if (error.code === "EADDRINUSE")
    return new Error(
      `${names.port} ${port} is in use on ${host}. Stop the other program, or set ${names.port} to another number.`,
    );
  if (error.code === "EACCES")
    return new SettingError(
      `This user may not listen on ${names.port} ${port}. Set ${names.port} to a number above 1023.`,
    );
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new SettingError(`${names.host} ${host} is not an address of this machine.`);
  return error;
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
