import type { ChatDeps } from "../../chat/deps";
import { inboxHandlers, preferencesHandlers } from "./handlers";

export const inbox = {
  handlers: (deps: ChatDeps) => ({
    users: inboxHandlers(deps),
    channels: { members: preferencesHandlers(deps) },
  }),
};
