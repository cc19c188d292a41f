import type { RouteName } from "../generated/operations";
import { channelHandlers } from "./channel-handlers";
import type { Handler } from "./handler";
import { keyHandlers } from "./key-handlers";
import { managerHandlers } from "./manager-handlers";
import { memberHandlers } from "./member-handlers";
import { messageHandlers } from "./message-handlers";
import { userHandlers } from "./user-handlers";

/** What the fake does for each operation that it imitates. */
export const handlers: Readonly<Partial<Record<RouteName, Handler>>> = {
  ...userHandlers,
  ...channelHandlers,
  ...memberHandlers,
  ...managerHandlers,
  ...messageHandlers,
  ...keyHandlers,
};
