import { type AppRoute, type AppRouter, isAppRoute } from "@ts-rest/core";
import type { AppRouteImplementation, createExpressEndpoints } from "@ts-rest/express";
import type { Database, Db } from "../db/db";
import type { Handler } from "../http/handler";
import type { ActingUser } from "../security/acting-user";
import type { Writer } from "../write/writer";
import type { UncheckedBody } from "./unchecked-text";

/**
 * The handlers of a router. Besides the checked request, they get the user as whom it acts, the database, and those of changes a
 * `Writer`. With a channel in their path, the database is the one with its rows: on one PostgreSQL the whole one, and on Citus a schema
 * of it. The `Writer` then writes there.
 */
export type Handlers<Router extends AppRouter> = {
  readonly [Name in keyof Router]: Router[Name] extends AppRouter
    ? Handlers<Router[Name]>
    : Router[Name] extends AppRoute
      ? HandlerOf<Router[Name]>
      : never;
};

type HandlerOf<Route extends AppRoute> = (
  call: CallOf<Route> & {
    readonly acting: ActingUser | undefined;
    readonly db: Route["path"] extends `${string}/:channel_id${string}` ? Db : Database;
  } & (Route["method"] extends "GET" ? unknown : { readonly writer: Writer }),
) => ReturnType<AppRouteImplementation<Route>>;

/** What ts-rest passes, with a text that is not checked. */
type CallOf<Route extends AppRoute> = Parameters<AppRouteImplementation<Route>>[0] extends infer Call
  ? Call extends { readonly body: infer Body }
    ? Omit<Call, "body"> & { readonly body: UncheckedBody<Body> }
    : Call
  : never;

/** Checks the types of the handlers of some operations of a router. */
export const defineHandlers = <Router extends AppRouter, Name extends keyof Router>(
  _router: Router,
  handlers: Pick<Handlers<Router>, Name>,
): Pick<Handlers<Router>, Name> => handlers;

/** All of these together. */
type Merged<Part> = (Part extends unknown ? (part: Part) => void : never) extends (merged: infer All) => void
  ? All
  : never;

/** Merges the handlers of several modules. A router can have operations of more than one. */
export function mergeHandlers<Part extends object>(parts: readonly Part[]): Merged<Part> {
  const merged: Record<string, unknown> = {};
  for (const part of parts)
    for (const [name, entry] of Object.entries(part)) {
      const known = merged[name];
      if (known === undefined) merged[name] = entry;
      else if (typeof known === "object" && typeof entry === "object" && known !== null && entry !== null)
        merged[name] = mergeHandlers([known, entry]);
      else throw new Error(`Two modules have a handler called ${name}.`);
    }
  // Nothing but the parts is in it.
  return merged as Merged<Part>;
}

type Implementation<Router extends AppRouter> = Parameters<typeof createExpressEndpoints<Router>>[1];

interface AnyHandlers {
  readonly [name: string]: Handler | AnyHandlers;
}

/** Wraps the handler of every operation of a router, in the order of the contract, in which Express tries the paths. */
export function mapHandlers<Router extends AppRouter>(
  router: Router,
  handlers: Handlers<Router>,
  wrap: (handler: Handler) => Handler,
): Implementation<Router> {
  const map = (routes: AppRouter, of: AnyHandlers): AnyHandlers =>
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => {
        const entry = of[name];
        if (typeof entry === "function") return [name, wrap(entry)];
        if (entry === undefined || isAppRoute(route)) throw new Error(`There is no handler called ${name}.`);
        return [name, map(route, entry)];
      }),
    );
  // The types of the handlers are checked where they are defined. Here they are only called.
  return map(router, handlers as unknown as AnyHandlers) as unknown as Implementation<Router>;
}
