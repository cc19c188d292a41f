import type { AppRoute, AppRouter } from "@ts-rest/core";
import type { AppRouteImplementation, createExpressEndpoints } from "@ts-rest/express";
import type { Handler } from "../http/handler";
import type { Writer } from "./writer";

/** The handlers of a router. Those of changes get a `Writer` besides the checked request. */
export type Handlers<Router extends AppRouter> = {
  readonly [Name in keyof Router]: Router[Name] extends AppRouter
    ? Handlers<Router[Name]>
    : Router[Name] extends AppRoute
      ? HandlerOf<Router[Name]>
      : never;
};

type HandlerOf<Route extends AppRoute> = (
  call: Parameters<AppRouteImplementation<Route>>[0] &
    (Route["method"] extends "GET" ? unknown : { readonly writer: Writer }),
) => ReturnType<AppRouteImplementation<Route>>;

/** Checks the types of handlers. */
export const defineHandlers = <Router extends AppRouter>(
  _router: Router,
  handlers: Handlers<Router>,
): Handlers<Router> => handlers;

type Implementation<Router extends AppRouter> = Parameters<typeof createExpressEndpoints<Router>>[1];

interface AnyHandlers {
  readonly [name: string]: Handler | AnyHandlers;
}

/** Wraps the handler of every operation of a router. */
export function mapHandlers<Router extends AppRouter>(
  handlers: Handlers<Router>,
  wrap: (handler: Handler) => Handler,
): Implementation<Router> {
  const map = (router: AnyHandlers): AnyHandlers =>
    Object.fromEntries(
      Object.entries(router).map(([name, entry]) => [
        name,
        typeof entry === "function" ? wrap(entry) : map(entry),
      ]),
    );
  // The types of the handlers are checked where they are defined. Here they are only called.
  return map(handlers as unknown as AnyHandlers) as unknown as Implementation<Router>;
}
