/** Work that is asked for often and done at most once in a while: at once, and then again if it was asked for meanwhile. */
export interface Throttled {
  (): void;
  /** Forgets what was asked for. */
  cancel(): void;
}

/** @param ms The time between two beginnings. */
export function throttle(ms: number, work: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  const run = () => {
    isAsked = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) run();
    }, ms);
    work();
  };
  return Object.assign(
    () => {
      if (timer === undefined) run();
      else isAsked = true;
    },
    {
      cancel() {
        clearTimeout(timer);
        timer = undefined;
        isAsked = false;
      },
    },
  );
}
