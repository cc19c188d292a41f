import type pg from "pg";
import type { Sizes } from "../world";

/** The two that are compared. */
export type Side = "server" | "ceiling";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** What the requests of an operation are made from. */
export interface World {
  readonly sizes: Sizes;
  readonly database: pg.Client;
  /** Asks the server as it ships. */
  readonly ask: (path: string) => Promise<unknown>;
}

export interface Operation {
  readonly id: string;
  readonly title: string;
  /** The least ratio to the ceiling that the project promises; undefined where it promises none. */
  readonly target: number | undefined;
  /** Made once, before the first request. */
  prepare?(world: World): Promise<void>;
  /** Makes what `count` requests from the n-th on use up, outside of the measured time. */
  supply?(world: World, side: Side, n: number, count: number): Promise<void>;
  /** The n-th turn of a side: one request, or several that a connection sends one after the other. */
  turn(n: number, side: Side, sizes: Sizes): readonly Call[];
}

/** A number from 1 to `size` that looks like chance and is the same for both sides. */
export const pick = (n: number, size: number) => ((n * 7_919 + 13) % size) + 1;

/** Ids of things made during the run; `like` makes those of both sides alike, to compare their answers. */
export const made = (kind: string, n: number, side: Side) =>
  `${kind}_${side.charAt(0)}_${String(n).padStart(7, "0")}`;
export const alike = (text: string) => text.replaceAll(/([a-z]+)_[sc]_(\d{7})/g, "$1_x_$2");
