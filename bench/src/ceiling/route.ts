import type pg from "pg";
import type { Cursors } from "../../../apps/server/src/paging/cursor";

export interface Tools {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
}

export interface Incoming {
  /** The parts of the path after `/v1`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Parsed and trusted: the ceiling checks nothing. */
  readonly body: Record<string, unknown>;
  /** Of a request with an idempotency key. */
  readonly once: Once | undefined;
}

/** An idempotency key, and a hash of the request it came with. */
export interface Once {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** An empty body means none. */
export interface Outgoing {
  readonly status: number;
  readonly text: string;
  readonly isReplayed?: boolean;
}

export type Route = (tools: Tools, incoming: Incoming) => Promise<Outgoing>;

export const respond = (status: number, body?: unknown): Outgoing => ({
  status,
  text: body === undefined ? "" : JSON.stringify(body),
});
