import type { OperationId } from "@madang/contract";
import type { World } from "./world";

/** One request, and the response on which the server and the SDK must agree. */
export interface Interaction {
  /** What exists before the request; nothing by default. */
  readonly given?: World | undefined;
  readonly request?: Request | undefined;
  readonly response: Response;
}

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  /** An array is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent unchanged instead of `query`. */
  readonly rawQuery?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. A string is encoded as UTF-8. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** The master key by default. */
  readonly key?: Key;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which API key the request carries. `unknown` was never issued; `none` omits the header. */
export type Key = "master" | "sub" | "deleted" | "unknown" | "none";

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
