import type { Request, Response } from "express";

/** What ts-rest passes to a handler. */
export interface Call {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly req: Request;
  readonly res: Response;
}

export type Handler = (call: Call) => Promise<{ readonly status: number; readonly body: unknown }>;
interface Handlers {
  readonly [name: string]: Handler | Handlers;
}

/** Wraps the handler of every operation of a router. */
export function mapHandlers<Router>(router: Router, wrap: (handler: Handler) => Handler): Router {
  const map = (handlers: Handlers): Handlers =>
    Object.fromEntries(
      Object.entries(handlers).map(([name, entry]) => [
        name,
        typeof entry === "function" ? wrap(entry) : map(entry),
      ]),
    );
  // The types of the handlers are checked where they are defined. Here they are only called.
  return map(router as Handlers) as Router;
}
