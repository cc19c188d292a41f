import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { useTexts } from "../../text/language";
import { IconButton } from "../button";

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Undefined while nothing closes it. */
  readonly onClose: (() => void) | undefined;
  /** Whether Escape and a click outside close it: not while it shows a secret for the only time. */
  readonly isDismissible?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({
  title,
  description,
  onClose,
  isDismissible = true,
  isWide = false,
  children,
}: DialogProps) {
  const t = useTexts();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open
      onOpenChange={(_, { reason }) => {
        if (isDismissible || reason === "close-press") onClose?.();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={isWide ? "dialog dialog-wide" : "dialog"}
          // A form begins in its first field, and of several choices in the one that is chosen.
          initialFocus={() =>
            popup.current?.querySelector<HTMLElement>(
              "form :is(input:not([type=radio]), input:checked, textarea)",
            ) ?? true
          }
        >
          <div className="dialog-header">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close
              disabled={onClose === undefined}
              render={<IconButton label={t.close} icon="close" />}
            />
          </div>
          {description !== undefined && (
            <Base.Description className="dialog-description">{description}</Base.Description>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
