import { ifMore, type Job } from "../jobs/run-jobs";
import { sweepExpiredKeys } from "../write/keys-store";
import { sweepDeletedChannels } from "./channels/delete-store";
import { sweepDeletedUsers } from "./members/sweep-users-store";
import type { JobDeps } from "./module";

export const chatJobs = ({ db, removeChannel, removeUser, numberEvents }: JobDeps): Job[] => [
  { name: "removing deleted channels", step: () => ifMore(sweepDeletedChannels(db, removeChannel)) },
  {
    name: "ending roles of deleted users",
    step: () => ifMore(sweepDeletedUsers(db, removeUser)).finally(numberEvents),
  },
  { name: "removing old idempotency keys", step: () => ifMore(sweepExpiredKeys(db)) },
];
