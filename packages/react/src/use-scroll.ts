import { type Ref, useEffect, useLayoutEffect, useRef } from "react";

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

/** How near to an end the next messages are loaded, and what still counts as the bottom. */
const reachPx = 1_200;
const bottomPx = 40;

interface Anchor {
  readonly key: string;
  readonly top: number;
}

/**
 * Scrolls the list of a conversation: it opens at its position, stays at the end while the reader is there, keeps its place when
 * messages are added or dropped at either end, and loads more near an end. The element that scrolls gets `ref` and `onScroll`; each
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
  const ref = useRef<Element>(null);
  const anchor = useRef<Anchor>(undefined);
  const isAtBottom = useRef(true);
  const shownOpening = useRef<number>(undefined);
  const { hasOlder, hasNewer, opening, position, error } = list;

  function load() {
    const element = ref.current;
    if (element === null || error !== undefined) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (hasOlder && scrollTop < reachPx) list.loadOlder();
    if (hasNewer && scrollHeight - scrollTop - clientHeight < reachPx) list.loadNewer();
  }

  function remember() {
    const element = ref.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    isAtBottom.current = scrollHeight - scrollTop - clientHeight < bottomPx;
    const { first, last } = findVisible(element);
    anchor.current = first;
    if (last !== undefined) onSeen?.(last);
  }

  // Before the browser paints: the reader sees no jump.
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || element.querySelector("[data-message]") === null) return;
    if (shownOpening.current !== opening) {
      shownOpening.current = opening;
      if (position === undefined) element.scrollTop = element.scrollHeight;
      else findRow(element, position)?.scrollIntoView({ block: "center" });
    } else if (isAtBottom.current && !hasNewer) element.scrollTop = element.scrollHeight;
    else restore(element, anchor.current);
    remember();
  });

  // The messages may not fill the screen.
  useEffect(load);

  return {
    ref,
    onScroll() {
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
    first ??= { key, top: rect.top - top };
    last = key;
  }
  return { ...(first && { first }), ...(last !== undefined && { last }) };
}

const findRow = (element: HTMLElement, key: string) =>
  element.querySelector(`[data-message="${CSS.escape(key)}"]`);

function restore(element: HTMLElement, anchor: Anchor | undefined): void {
  const row = anchor && findRow(element, anchor.key);
  if (!row || !anchor) return;
  const top = row.getBoundingClientRect().top - element.getBoundingClientRect().top;
  element.scrollTop += top - anchor.top;
}
