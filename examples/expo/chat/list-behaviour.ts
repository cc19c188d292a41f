import type { ShownMessage } from "@madang/react";
import { useCallback, useEffect, useRef, useState } from "react";

/** The rows on the screen, the newest message first. */
export interface Viewable {
  readonly viewableItems: readonly { readonly item: { readonly shown: ShownMessage } }[];
}

/** The same function in each rendering, which does what the last one says: rows that have it are rendered only when they change. */
export function useStable<Input>(action: (input: Input) => void): (input: Input) => void {
  const current = useRef(action);
  current.current = action;
  return useCallback((input) => current.current(input), []);
}

/** The message to which the eye is drawn, for two seconds. */
export function useFlash() {
  const [flashed, flash] = useState<string>();
  useEffect(() => {
    if (flashed === undefined) return;
    const timer = setTimeout(() => flash(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [flashed]);
  return [flashed, flash] as const;
}
