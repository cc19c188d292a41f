import { removals } from "../../src/app/modules";
import { sweepDeletedChannels as sweepChannels } from "../../src/chat/channels/delete-store";
import { sweepDeletedUsers as sweepUsers } from "../../src/chat/members/sweep-users-store";
import type { Db } from "../../src/db/db";

/** A step of the sweepers, with what the modules remove. */
export const sweepDeletedChannels = (db: Db) => sweepChannels(db, removals.removeChannel);
export const sweepDeletedUsers = (db: Db) => sweepUsers(db, removals.removeUsers);
