import type { Query } from "./paging";
import type { World } from "./world";

/** A request that the contract accepts. */
export interface AcceptedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  // The contract has checked the fields; each handler names those that it uses.
  readonly body: never;
}

export interface HandlerContext {
  readonly world: World;
  readonly now: number;
  readonly userList: "cursor" | "reference";
}

export interface HandlerResult {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Handler = (request: AcceptedRequest, context: HandlerContext) => HandlerResult;
