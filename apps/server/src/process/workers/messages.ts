/**
 * From the primary process to a worker: take the connection with this number; report that you are not ready; stop.
 */
export type Command = { readonly take: number } | "unready" | "stop";

/** From a worker to the primary process: ready to serve requests; took the connection with this number. */
export type Report = { readonly taken: number } | "ready";
