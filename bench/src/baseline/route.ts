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
  /** Parsed, but not validated. */
  readonly body: Record<string, unknown>;
  /** Present if the request has an idempotency key. */
  readonly once: Once | undefined;
}

/** An idempotency key and a hash of its request. */
export interface Once {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** An empty text means no body. */
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
