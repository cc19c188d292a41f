import type { ChatDeps } from "../../chat/deps";
import { importHandlers } from "./handlers";

export const importsModule = { handlers: (deps: ChatDeps) => ({ imports: importHandlers(deps) }) };
