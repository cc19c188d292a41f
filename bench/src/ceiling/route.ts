import type pg from "pg";
import type { Cursors } from "../../../apps/server/src/paging/cursor";

/** What a route of the ceiling works with. */
export interface Means {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
}

export interface Asked {
  /** The parts of the path behind `/v1`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Parsed, and believed: the ceiling checks nothing. */
  readonly body: Record<string, unknown>;
}

/** The status and the body as text; the empty text stands for no body. */
export type Answer = readonly [status: number, body: string];

export type Route = (means: Means, asked: Asked) => Promise<Answer>;
