import { type ReactNode, useEffect } from "react";
import { createStore, useStore } from "../api/store";
import { ErrorText } from "./error-text";

const notice = createStore<{ readonly text: ReactNode } | undefined>(undefined);

/** Says for some seconds what was done. */
export function showNotice(text: ReactNode): void {
  notice.set({ text });
}

/** Says for some seconds why something failed. */
export function showError(error: unknown): void {
  showNotice(<ErrorText error={error} />);
}

export function Notices() {
  const shown = useStore(notice);
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => notice.set(undefined), 4_000);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className="notices" role="status">
      {shown && <p className="notice">{shown.text}</p>}
    </div>
  );
}
