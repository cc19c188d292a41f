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

/** Wraps the handler of every operation of a router. `id` is the operation's, such as `channels.members.join`. */
export function mapHandlers<Router>(router: Router, wrap: (handler: Handler, id: string) => Handler): Router {
  const map = (handlers: Handlers, path: string): Handlers =>
    Object.fromEntries(
      Object.entries(handlers).map(([name, entry]) => {
        const id = path + name;
        return [name, typeof entry === "function" ? wrap(entry, id) : map(entry, `${id}.`)];
      }),
    );
  // The types of the handlers are checked where they are defined. Here they are only called.
  return map(router as Handlers, "") as Router;
}
