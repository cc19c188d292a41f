import * as z from "zod";
import type { Db } from "../../db/db";
import { type Cursors, invalidCursor } from "../../paging/cursor";
import { scope } from "./batch";
import type { LiveFeed } from "./live/live-feed";
import { type EventKey, type FeedPosition, findPositionBefore, isSameFeed } from "./store";

/** The position that a cursor of the feed names. Rejects cursors of another database, and those that have expired. */
export async function openFeedCursor(
  { cursors, db, liveFeed }: { cursors: Cursors; db: Db; liveFeed: Pick<LiveFeed, "isEnd"> },
  after: string,
): Promise<FeedPosition> {
  const content = cursors.open(scope, after, "after", feedContent);
  if ("eventId" in content) return findPositionBefore(db, content);
  if (!liveFeed.isEnd(content) && !(await isSameFeed(db, content))) throw invalidCursor("after");
  return content;
}

const feedContent: z.ZodType<FeedPosition | EventKey> = z.union([
  z.object({ position: z.int(), nonce: z.int() }),
  z.object({ channelPk: z.int(), eventId: z.string().regex(/^[a-z]+_[0-9]{1,15}_[0-9]{1,15}$/) }),
]);

/** A cursor of the feed that is before an event. Its position is looked up when the cursor is used. */
export function signCursorBefore(cursors: Cursors, { channelPk, eventId }: EventKey): string {
  return cursors.sign(scope, { channelPk, eventId });
}
