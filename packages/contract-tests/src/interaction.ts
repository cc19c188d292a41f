import type { OperationId } from "@madang/contract";
import type { World } from "./world";

/** One request in one world, and the answer that both halves must agree on. */
export interface Interaction {
  /** What exists before; nothing when left out. */
  readonly given?: World;
  readonly request?: Request;
  readonly response: Response;
}

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  /** Several values are sent as a parameter given several times. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent instead of `query`, as it is. */
  readonly rawQuery?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of `body`, as it is; in `utf-8` where it is text. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** The master key when left out. */
  readonly key?: Key;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A key that the world holds, none at all, or something that is none. */
export type Key = "master" | "sub" | "deleted" | "unknown" | "none";

export interface Response {
  readonly status: number;
  /** Those that belong to the guarantee; others may be there. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the body is empty. */
  readonly body?: unknown;
}

/** By what they guarantee. */
export type Interactions = Readonly<Record<string, Interaction>>;

/** The interactions of some operations; together they cover every operation of the contract. */
export type InteractionsByOperation = Readonly<Partial<Record<OperationId, Interactions>>>;
