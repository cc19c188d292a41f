import type { ChatDeps } from "../../chat/deps";
import { keyHandlers } from "./handlers";

export const keys = { handlers: (deps: ChatDeps) => ({ keys: keyHandlers(deps) }) };
