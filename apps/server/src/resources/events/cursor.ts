import type { Reader } from "../../db/db";
import { type Cursors, invalidCursor } from "../../paging/cursor";
import { type FeedPosition, isSameFeed } from "./store";
import { scope } from "./tail";

/** The position that a cursor of the feed names. Rejects cursors of another database, and those that have expired. */
export async function openFeedCursor(cursors: Cursors, db: Reader, after: string): Promise<FeedPosition> {
  // Signed by the modules of the feed.
  const position = cursors.open(scope, after, "after") as FeedPosition;
  if (!(await isSameFeed(db, position))) throw invalidCursor("after");
  return position;
}
