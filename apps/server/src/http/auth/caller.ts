import type { ActingUser } from "../../security/acting-user";
import type { StoredKey } from "../../security/key-ring";
import type { UserToken } from "../../security/user-tokens";

/** The caller: the master key, a sub key with an id that does not reveal it, or a user, by a token or a key of its own. */
export type Caller = (
  | { readonly kind: "master" }
  | ({ readonly kind: "sub"; readonly id: string } & Pick<
      StoredKey,
      "digest" | "label" | "scopes" | "expiresAt"
    >)
  | ({
      readonly kind: "user";
      /** The id of the key. Absent for a token. */
      readonly id?: string;
      readonly token?: UserToken;
    } & ActingUser &
      Pick<StoredKey, "label" | "scopes" | "expiresAt">)
) & {
  /** The session of the console that sends the request. Absent for every other request. */
  readonly console?: {
    readonly sessionId: string;
    /** Who signed in with the key. */
    readonly actor: string;
  };
};

/** The name of the caller in limits. All tokens and keys of a user share one name. */
export function nameCaller(caller: Caller | undefined): string {
  if (caller?.kind === "user") return `user ${caller.userPk}`;
  return caller?.kind === "sub" ? `sub ${caller.id}` : (caller?.kind ?? "none");
}
