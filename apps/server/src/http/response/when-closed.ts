import type { ServerResponse } from "node:http";

/** Calls back once a response is closed: at once if the client has left before. `close` is not emitted a second time. */
export function whenClosed(response: ServerResponse, onClosed: () => void): void {
  if (response.closed) onClosed();
  else response.once("close", onClosed);
}
