import { useStore } from "@madang/react";
import { createStore } from "@madang/react/store";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../text/language";
import { ErrorText } from "./texts/error-text";

interface Notice {
  readonly text: ReactNode;
  readonly undo: (() => Promise<unknown>) | undefined;
}

const notice = createStore<Notice | undefined>(undefined);

/** Says for some seconds what was done, and takes it back if the reader wants that. */
export function showNotice(text: ReactNode, undo?: Notice["undo"]): void {
  notice.set({ text, undo });
}

/** Says for some seconds why something failed. */
export function showError(error: unknown): void {
  showNotice(<ErrorText error={error} />);
}

export function Notices() {
  const t = useTexts();
  const shown = useStore(notice);
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => notice.set(undefined), shown.undo === undefined ? 4_000 : 10_000);
    return () => clearTimeout(timer);
  }, [shown]);
  function takeBack(undo: () => Promise<unknown>) {
    notice.set(undefined);
    undo().then(() => showNotice(t.undone), showError);
  }
  return (
    <div className="notices" role="status">
      {shown && (
        <div className="notice">
          <span>{shown.text}</span>
          {shown.undo && (
            <button type="button" onClick={() => shown.undo && takeBack(shown.undo)}>
              {t.undo}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
