export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  /** Several values are sent as a parameter given several times. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent instead of `query`, as it is. */
  readonly rawQuery?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of `body`, as it is; in `utf-8` where it is text. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** The master key when left out. */
  readonly key?: Key;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A key that the world holds, none at all, or something that is none. */
export type Key = "master" | "sub" | "deleted" | "unknown" | "none";
