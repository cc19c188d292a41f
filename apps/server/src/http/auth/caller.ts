import type { StoredKey } from "../../security/key-ring";

/** The caller: the master key, or a sub key with an id that does not reveal it. */
export type Caller = (
  | { readonly kind: "master" }
  | ({ readonly kind: "sub"; readonly id: string } & Pick<StoredKey, "label" | "scopes" | "expiresAt">)
) & {
  /** The session of the console that sends the request. Absent for every other request. */
  readonly console?: {
    readonly sessionId: string;
    /** Who signed in with the key. */
    readonly actor: string;
    readonly expiresAt: number;
  };
};
