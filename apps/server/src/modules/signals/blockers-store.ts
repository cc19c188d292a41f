import { blockersIn } from "../../chat/restrictions/conditions";
import type { Db, Statement } from "../../db/db";

/** The participants and managers of a channel who have blocked a user: signals of the user do not reach them. */
export async function listBlockers(
  db: Pick<Db, "query">,
  channelId: string,
  userId: string,
): Promise<readonly number[]> {
  const [found] = await db.query(list, [channelId, userId]);
  return found?.blockerPks ?? [];
}

const list: Statement<{ readonly blockerPks: readonly number[] }> = {
  name: "signals.list-blockers",
  text: `SELECT to_json(${blockersIn("c.pk", "u.pk")}) AS "blockerPks" FROM channels c, users u
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL`,
};
