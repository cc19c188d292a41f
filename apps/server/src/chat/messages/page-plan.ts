import { fillPage } from "../../paging/page-bytes";
import type { PageQuery } from "../../paging/page-query";
import { newest, oldest, type Position } from "../../paging/position";
import { requirePosition } from "../message-id";
import type { MessageWindow, Sides } from "./list-store";
import { type MessageRow, messageBytes, positionOf } from "./store";

/** `direction` exists only in cursors. */
export type MessageFilters = Partial<
  Record<
    "before" | "after" | "around" | "message_ids" | "external_ids" | "as_user" | "direction",
    string | undefined
  >
>;

/** Where to read, and how many messages on each side. */
interface PagePlan {
  readonly boundary: Position;
  readonly sides: Sides;
}

/** The position of a cursor is a boundary, like the message that a request names. */
export function planPage(
  channelId: string,
  { filters, limit, after: position }: PageQuery<MessageFilters>,
): PagePlan {
  const older = { newer: 0, older: limit };
  const newer = { newer: limit, older: 0 };
  if (position !== undefined)
    return { boundary: position, sides: filters.direction === "newer" ? newer : older };
  const { before, after, around } = filters;
  if (before !== undefined) return { boundary: justBefore(requirePosition(channelId, before)), sides: older };
  if (after !== undefined) return { boundary: requirePosition(channelId, after), sides: newer };
  if (around === undefined) return { boundary: newest, sides: older };
  const half = Math.floor(limit / 2);
  return { boundary: requirePosition(channelId, around), sides: { newer: half, older: limit - half } };
}

export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly MessageRow[];
  /** The boundary of the next older page. Absent if there are no older messages. */
  readonly older?: Position;
  /** The boundary of the next newer page. */
  readonly newer: Position;
}

/** The page of a window. The window was read with one more older message than planned. */
export function takeMessagePage(
  { newer, older }: Pick<MessageWindow, "newer" | "older">,
  { boundary, sides }: PagePlan,
): MessagePage {
  // The newer messages next to the boundary come last.
  const newerCount = fillPage(newer.toReversed(), sides.newer, messageBytes).count;
  const olderCount = fillPage(older, sides.older, messageBytes).count;
  const messages = [...newer.slice(newer.length - newerCount), ...older.slice(0, olderCount)];
  const [first, last] = [messages[0], messages.at(-1)];
  return {
    messages,
    ...(older.length > olderCount && { older: last ? justBefore(positionOf(last)) : boundary }),
    // In an empty channel, `newer` begins before the first message.
    newer: first ? positionOf(first) : boundary === newest ? oldest : boundary,
  };
}

/** A message at a boundary is older than it, so the boundary before a message excludes that message. */
const justBefore = ({ createdAt, pk }: Position): Position => ({ createdAt, pk: pk - 1 });
