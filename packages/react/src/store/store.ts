/** A value that changes, outside of any framework. */
export interface Store<Value> {
  /** The value now. */
  readonly get: () => Value;
  /** Calls a function after each change, until the returned one is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A store that its owner changes. */
export interface WritableStore<Value> extends Store<Value> {
  /** Changes the value. */
  readonly set: (value: Value) => void;
}

/**
 * A store with a first value.
 *
 * @param initial The value until it is set.
 * @example const theme = createStore<"light" | "dark">("light");
 */
export function createStore<Value>(initial: Value): WritableStore<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) {
        try {
          listener();
        } catch (error) {
          // The page reports the error. The work that has set the value goes on.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
