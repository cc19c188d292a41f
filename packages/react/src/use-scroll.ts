import { type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";

/** What `useScroll` needs of a conversation. */
export interface ScrolledList {
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly loadOlder: () => unknown;
  readonly loadNewer: () => unknown;
  /** After an error, nothing is loaded by scrolling. */
  readonly error?: unknown;
  readonly opening: number;
  readonly position: string | undefined;
}

/** How near to an end the next messages are loaded, and how near to the bottom a reader who scrolls down has reached it. */
const reachPx = 1_200;
const bottomPx = 40;

interface Anchor {
  readonly key: string;
  /** From the top of the list, in pixels. */
  readonly at: number;
  /** Where the list was scrolled to then. */
  readonly scrollTop: number;
  /** Its bottom if that is seen: the row may lose what is above its text, such as the name of its sender, when older rows arrive. */
  readonly edge: "top" | "bottom";
}

/**
 * Scrolls the list of a conversation: it opens at its position, stays at the end while the reader is there, also when the keyboard of a phone
 * changes its height, keeps its place when messages are added or dropped at either end, and loads more near an end. The element that scrolls gets `ref` and `onScroll`; each
 * row has the `key` of its message as `data-message`.
 *
 * @param list The conversation.
 * @param onSeen Called with the key of the last message on the screen.
 * @example const { ref, onScroll } = useScroll<HTMLDivElement>(conversation);
 */
export function useScroll<Element extends HTMLElement>(
  list: ScrolledList,
  onSeen?: (key: string) => void,
): { readonly ref: Ref<Element>; readonly onScroll: () => void } {
  const [element, setElement] = useState<Element | null>(null);
  const anchor = useRef<Anchor>(undefined);
  const isAtBottom = useRef(true);
  const shownOpening = useRef<number>(undefined);
  const { hasOlder, hasNewer, opening, position, error } = list;

  function load() {
    if (element === null || error !== undefined) return;
    if (hasOlder && element.scrollTop < reachPx) list.loadOlder();
    if (hasNewer && fromBottom(element) < reachPx) list.loadNewer();
  }

  function remember() {
    if (element === null) return;
    const { first, last } = findVisible(element);
    anchor.current = first;
    if (last !== undefined) onSeen?.(last);
  }

  // Before the browser paints: the reader sees no jump.
  useLayoutEffect(() => {
    if (element === null || element.querySelector("[data-message]") === null) return;
    if (shownOpening.current !== opening) {
      shownOpening.current = opening;
      if (position === undefined) element.scrollTop = element.scrollHeight;
      else findRow(element, position)?.scrollIntoView({ block: "center" });
      isAtBottom.current = fromBottom(element) < bottomPx;
    } else {
      noteBottom(element, anchor.current, isAtBottom);
      if (isAtBottom.current && !hasNewer) element.scrollTop = element.scrollHeight;
      else restore(element, anchor.current);
    }
    remember();
  });

  useEffect(() => {
    // Browsers have it; what imitates one in tests may not.
    if (element === null || hasNewer || !("ResizeObserver" in globalThis)) return;
    const observer = new ResizeObserver(() => {
      noteBottom(element, anchor.current, isAtBottom);
      if (isAtBottom.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, hasNewer]);

  // The messages may not fill the screen.
  useEffect(load);

  return {
    ref: setElement,
    onScroll() {
      if (element !== null) noteBottom(element, anchor.current, isAtBottom);
      remember();
      load();
    },
  };
}

/** The first and the last row that are at least partly seen. */
function findVisible(element: HTMLElement): { first?: Anchor; last?: string } {
  const { top, bottom } = element.getBoundingClientRect();
  let first: Anchor | undefined;
  let last: string | undefined;
  for (const row of element.querySelectorAll<HTMLElement>("[data-message]")) {
    const rect = row.getBoundingClientRect();
    if (rect.top >= bottom) break;
    if (rect.bottom <= top) continue;
    const key = row.dataset.message ?? "";
    const edge = rect.bottom < bottom ? "bottom" : "top";
    first ??= { key, at: rect[edge] - top, scrollTop: element.scrollTop, edge };
    last = key;
  }
  return { ...(first && { first }), ...(last !== undefined && { last }) };
}

const findRow = (element: HTMLElement, key: string) =>
  element.querySelector(`[data-message="${CSS.escape(key)}"]`);

const fromBottom = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight;

/**
 * Notes whether the reader is at the bottom. A reader who scrolls up leaves it with the first pixel, also if what arrives is rendered before
 * the event of the scroll: otherwise it would pull a slow reader back.
 */
function noteBottom(
  element: HTMLElement,
  anchor: Anchor | undefined,
  isAtBottom: { current: boolean },
): void {
  const { moved, scrolled } = changeSince(element, anchor);
  const restPx = fromBottom(element);
  // A browser that keeps rows in their place scrolls as well, and they hardly move.
  if (restPx <= 1 || (scrolled > 0 && moved <= -0.5 && restPx < bottomPx)) isAtBottom.current = true;
  else if (scrolled < 0 && moved >= 0.5) isAtBottom.current = false;
}

/** How far the row of an anchor has moved down, and the list was scrolled. */
function changeSince(element: HTMLElement, anchor: Anchor | undefined) {
  const row = anchor && findRow(element, anchor.key);
  if (!row || !anchor) return { moved: 0, scrolled: 0 };
  const at = row.getBoundingClientRect()[anchor.edge] - element.getBoundingClientRect().top;
  return { moved: at - anchor.at, scrolled: element.scrollTop - anchor.scrollTop };
}

function restore(element: HTMLElement, anchor: Anchor | undefined): void {
  const { moved, scrolled } = changeSince(element, anchor);
  // What has only scrolled stays: a page may be rendered after a step of a smooth scroll and before its event, and would end the scroll.
  if (Math.abs(moved + scrolled) >= 1) element.scrollTop += moved;
}
