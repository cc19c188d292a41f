import type { OperationId } from "@madang/contract";
import type { Request } from "./request";
import type { World } from "./world";

/** One request in one world, and the answer that both halves must agree on. */
export interface Interaction {
  /** What exists before; nothing when left out. */
  readonly given?: World;
  readonly request?: Request;
  readonly response: Response;
}

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
