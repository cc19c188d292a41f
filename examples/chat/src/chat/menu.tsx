import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import type { IconName } from "./icon-paths";
import { Icon } from "./icons";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
}

/** Where a menu opens: beside a button, or at the pointer. */
export type MenuPlace = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly place: MenuPlace;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** A menu beside what it belongs to, and on a narrow screen at its lower edge. The browser keeps the focus in it and returns it. */
export function Menu({ label, items, place, children, onClose }: MenuProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    // Also when more of it is opened.
    const observer = new ResizeObserver(() => placeBeside(place, dialog));
    observer.observe(dialog);
    placeBeside(place, dialog);
    return () => {
      observer.disconnect();
      dialog.close();
    };
  }, [place]);
  return (
    <dialog
      ref={ref}
      className="chat-menu"
      aria-label={label}
      onCancel={onClose}
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === ref.current) onClose();
      }}
      onKeyDown={moveFocus}
    >
      {children}
      {items.map(({ label: text, icon, isDangerous, onSelect }) => (
        <button
          key={text}
          type="button"
          className={isDangerous ? "chat-item chat-dangerous" : "chat-item"}
          onClick={() => {
            onClose();
            onSelect();
          }}
        >
          <Icon name={icon} />
          {text}
        </button>
      ))}
    </dialog>
  );
}

function placeBeside({ left, right, top, bottom }: MenuPlace, dialog: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = dialog;
  const x = left + width > innerWidth - 8 ? right - width : left;
  const y = bottom + height + 4 > innerHeight - 8 ? top - height - 4 : bottom + 4;
  const clamp = (value: number, max: number) => `${Math.max(8, Math.min(value, max - 8))}px`;
  dialog.style.setProperty("--x", clamp(x, innerWidth - width));
  dialog.style.setProperty("--y", clamp(y, innerHeight - height));
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  event.stopPropagation();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button.chat-item")];
  const index = buttons.indexOf(document.activeElement as HTMLElement);
  buttons.at(index === -1 && step < 0 ? -1 : (index + step) % buttons.length)?.focus();
}
