import type { Database } from "../db/db";
import type { Consumer, Job } from "../jobs/run-jobs";
import type { RemoveChannel } from "./channels/delete-store";
import type { EraseRest, PersonalRows } from "./erasure";
import type { RemoveUsers } from "./members/sweep-users-store";

/** What modules remove when a deleted channel or user goes, and erase of a person. */
export interface Removals {
  readonly removeChannel: RemoveChannel;
  readonly removeUsers: RemoveUsers;
  /** What an erasure removes of a user in channels. */
  readonly personalRows: readonly PersonalRows[];
  /** What it removes of users elsewhere. */
  readonly eraseRest: readonly EraseRest[];
}

/** The dependencies of consumers and of most jobs. */
export interface JobDeps extends Removals {
  readonly db: Database;
  readonly now: () => number;
  /** For how many days rows are kept. */
  readonly days: { readonly events: number; readonly audit: number; readonly messages: number | undefined };
}

/** What a module adds to the chat. */
export interface Module extends Partial<Removals> {
  /** The handlers of its operations, each at its place in the contract. */
  handlers(deps: never): object;
  /** Its work in the background. */
  jobs?(deps: never): readonly Job[];
  /** What it does with each event of the feed, in their order. */
  consumers?(deps: JobDeps): readonly Consumer[];
}
