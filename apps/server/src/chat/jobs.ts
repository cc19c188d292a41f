import type { Job, JobName } from "../jobs/run-jobs";
import { sweepIdempotencyKeys } from "../write/idempotency-store";
import { sweepDeletedChannels } from "./channels/delete-store";
import { sweepDeletedUsers } from "./members/sweep-users-store";
import type { JobDeps } from "./module";

export const chatJobs = ({ db, removeChannel, removeUsers }: JobDeps): Job[] => [
  {
    name: "removing deleted channels" satisfies JobName,
    step: () => sweepDeletedChannels(db, removeChannel),
  },
  {
    name: "ending roles of deleted users" satisfies JobName,
    step: () => sweepDeletedUsers(db, removeUsers),
  },
  { name: "removing old idempotency keys", step: () => sweepIdempotencyKeys(db) },
];
