import type { Operation } from "../error-codes";
import { channelHandlers } from "./channel-handlers";
import { messageHandlers } from "./message-handlers";
import type { Query } from "./paging";
import { userHandlers } from "./user-handlers";
import type { World } from "./world";

/** A request that the contract has accepted. */
export interface Accepted {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  // The contract has checked the fields; each handler names those that it takes.
  readonly body: never;
}

export interface HandlerContext {
  readonly world: World;
  readonly now: number;
  readonly userList: "cursor" | "reference";
}

export interface Handled {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Handler = (request: Accepted, context: HandlerContext) => Handled;

/** What the fake does for each operation. */
export const handlers: Readonly<Record<Operation, Handler>> = {
  ...userHandlers,
  ...channelHandlers,
  ...messageHandlers,
};
