import type { Operation } from "../error-codes";
import { channelHandlers } from "./channel-handlers";
import type { Handler } from "./handler";
import { messageHandlers } from "./message-handlers";
import { userHandlers } from "./user-handlers";

/** What the fake does for each operation. */
export const handlers: Readonly<Record<Operation, Handler>> = {
  ...userHandlers,
  ...channelHandlers,
  ...messageHandlers,
};
