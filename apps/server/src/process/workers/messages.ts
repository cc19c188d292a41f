/**
 * From the process with the port to a worker: here is a connection, under this number; report that you are not ready;
 * stop.
 */
export type Command = { readonly take: number } | "unready" | "stop";

/** From a worker: it can serve requests; it took over the connection with this number. */
export type Report = { readonly taken: number } | "ready";
