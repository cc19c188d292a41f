import type { KeyboardEvent } from "react";

/** Scrolls to a message that is on the page, and draws the eye to it. */
export function flash(messageId: string): boolean {
  const row = document.querySelector(`.chat-row[data-id="${CSS.escape(messageId)}"]`);
  if (row === null) return false;
  row.scrollIntoView({ block: "center" });
  row.classList.remove("chat-flash");
  requestAnimationFrame(() => row.classList.add("chat-flash"));
  return true;
}

let still: ReturnType<typeof setTimeout> | undefined;

/** Marks a list until it has not scrolled for a second: its days stand over the messages then. */
export function markScrolling({ dataset }: HTMLElement): void {
  dataset.scrolling = "true";
  clearTimeout(still);
  still = setTimeout(() => delete dataset.scrolling, 1_000);
}

/** The arrows move between messages; Enter opens what can be done with one. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".chat-row")];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || (current === -1 && document.activeElement !== event.currentTarget)) return;
  event.preventDefault();
  rows.at(current === -1 ? -1 : Math.max(0, Math.min(current + step, rows.length - 1)))?.focus();
}
