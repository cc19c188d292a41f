import type { OperationId } from "@madang/contract";
import type { Request } from "./request";
import type { World } from "./world";

/** One request, and the response on which the server and the SDK must agree. */
export interface Interaction {
  /** What exists before the request; nothing by default. */
  readonly given?: World | undefined;
  readonly request?: Request | undefined;
  readonly response: Response;
}

export interface Response {
  readonly status: number;
  /** The headers that are guaranteed. A response may contain more. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Without it the response has no body. */
  readonly body?: unknown;
}

/** Interactions by what they guarantee. */
export type Interactions = Readonly<Record<string, Interaction>>;

/** The interactions of some operations. */
export type InteractionsByOperation = Readonly<Partial<Record<OperationId, Interactions>>>;
