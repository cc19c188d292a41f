import type pg from "pg";
import type { Sizes } from "../servers/dataset";
import { type Side, sides } from "../servers/side";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** What the requests of an operation are built from. */
export interface Context {
  readonly sizes: Sizes;
  readonly database: pg.Client;
  /** Sends a GET to the server, and parses the response. */
  readonly get: (path: string) => Promise<unknown>;
}

export interface Operation {
  readonly id: string;
  readonly title: string;
  /** Whether a person waits for it, on a page of a chat: then its p99 has a limit. */
  readonly isAwaited?: boolean;
  /** Whether it is also measured with 64 connections. */
  readonly hasMany?: boolean;
  /** Called once, before the first request. */
  prepare?(context: Context): Promise<void>;
  /** Creates the rows that `count` requests, starting with the n-th, consume. Not part of the measured time. */
  refill?(context: Context, side: Side, n: number, count: number): Promise<void>;
  /** The n-th turn of a side: one request, or several that a connection sends one after another. */
  turn(n: number, side: Side, sizes: Sizes): readonly Call[];
}

/** A pseudo-random number from 1 to `size`, the same for all sides. */
export const pick = (n: number, size: number) => ((n * 7_919 + 13) % size) + 1;

/** An id of something created during the run, unique to its side. `withoutSide` makes those of all sides equal. */
export const createdId = (kind: string, n: number, side: Side) =>
  `${kind}_${sides.indexOf(side)}_${String(n).padStart(7, "0")}`;
export const withoutSide = (text: string) => text.replaceAll(/([a-z]+)_\d_(\d{7})/g, "$1_x_$2");
