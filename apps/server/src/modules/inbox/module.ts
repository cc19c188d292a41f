import type { ChatDeps } from "../../chat/deps";
import { inboxHandlers } from "./handlers";

export const inbox = { handlers: (deps: ChatDeps) => ({ users: inboxHandlers(deps) }) };
