import type { ChatDeps } from "../../chat/deps";
import type { Files } from "./files";

export interface FileDeps extends ChatDeps {
  readonly files: Files;
  /** Creates a random UUID. */
  readonly makeId: () => string;
}
