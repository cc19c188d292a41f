import type { Reader } from "../../db/db";
import { type Cursors, invalidCursor } from "../../paging/cursor";
import { scope } from "./batch";
import type { LiveFeed } from "./live-feed";
import { type FeedPosition, isSameFeed } from "./store";

/** The position that a cursor of the feed names. Rejects cursors of another database, and those that have expired. */
export async function openFeedCursor(
  { cursors, db, liveFeed }: { cursors: Cursors; db: Reader; liveFeed: Pick<LiveFeed, "knows"> },
  after: string,
): Promise<FeedPosition> {
  // Signed by the modules of the feed.
  const position = cursors.open(scope, after, "after") as FeedPosition;
  if (!liveFeed.knows(position) && !(await isSameFeed(db, position))) throw invalidCursor("after");
  return position;
}
