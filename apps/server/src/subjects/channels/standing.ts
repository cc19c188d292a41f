import type { Queryable, Statement } from "../../db/db";
import { requireUser } from "../users/store";
import { refuseUnknownChannel } from "./store";

/** How a user stands to a channel. */
export interface Standing {
  readonly isMember: boolean;
  readonly isManager: boolean;
}

/** Looks closer after a statement changed nothing: refuses what is unknown, and tells the rest apart. */
export async function requireStanding(db: Queryable, channelId: string, userId: string): Promise<Standing> {
  const [standing] = await db.query(look, [channelId, userId]);
  if (standing === undefined) refuseUnknownChannel(channelId);
  await requireUser(db, userId);
  return standing;
}

const look: Statement<Standing> = {
  name: "channels.look-at-standing",
  text: `SELECT EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = u.pk) AS "isMember",
      EXISTS (SELECT FROM managers m WHERE m.channel_pk = c.pk AND m.user_pk = u.pk) AS "isManager"
    FROM channels c LEFT JOIN users u ON u.user_id = $2 AND u.deleted_at IS NULL
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL`,
};
