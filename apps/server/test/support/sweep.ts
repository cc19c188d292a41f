import { removals } from "../../src/app/modules";
import { sweepDeletedChannels as sweepChannels } from "../../src/chat/channels/delete-store";
import { sweepDeletedUsers as sweepUsers } from "../../src/chat/members/sweep-users-store";
import type { Queryable } from "../../src/db/db";

/** A step of the sweepers, with what the modules remove. */
export const sweepDeletedChannels = (db: Queryable) => sweepChannels(db, removals.removeChannel);
export const sweepDeletedUsers = (db: Queryable) => sweepUsers(db, removals.removeUser);
