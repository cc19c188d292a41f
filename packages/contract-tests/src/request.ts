export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  /** An array is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent unchanged instead of `query`. */
  readonly rawQuery?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. A string is encoded as UTF-8. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** The master key by default. */
  readonly key?: Key;
  /** The id of a user whose token it carries instead. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which API key the request carries. `unknown` was never issued; `none` omits the header. */
export type Key = "master" | "sub" | "deleted" | "unknown" | "none";
