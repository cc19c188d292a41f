import type { AuthDeps } from "../http/deps";
import type { JobName } from "../jobs/run-jobs";
import type { Cursors } from "../paging/cursor";
import type { Attachments } from "./attachments";
import type { Checks } from "./checks";

/** The dependencies of the handlers, which do not read the clock, randomness or the environment themselves. */
export interface ChatDeps extends AuthDeps {
  readonly cursors: Cursors;
  /** The variant of the user list for requests without `base_user_id`. */
  readonly userList: "cursor" | "reference";
  readonly attachments: Attachments;
  /** What reads the text of each message before it is stored. */
  readonly checks: Checks;
  /** Starts a step of a job now, after a change that gave it work. Without it, the job starts at its next interval. */
  readonly wake: (job: JobName) => void;
}
