import type { ChatDeps } from "../../chat/deps";
import { exportHandlers } from "./handlers";

export const exportsModule = { handlers: (deps: ChatDeps) => ({ exports: exportHandlers(deps) }) };
