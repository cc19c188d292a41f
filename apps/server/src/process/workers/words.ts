/** What the process that has the port says to a worker. A connection goes with the word `take`. */
export type WordToWorker = { readonly take: number } | "end";

/** What a worker says: that it can answer, and that a connection is its own from here on. */
export type WordToPrimary = { readonly taken: number } | "ready";
