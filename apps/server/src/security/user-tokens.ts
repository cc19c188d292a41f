import { openWithAny, seal } from "./seal";
import type { KeyMaker } from "./secret";

/** What a token contains: as whom its requests act, and what ends it. */
export interface UserToken {
  readonly userId: string;
  readonly userPk: number;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** The digest of the sub key that created it, in base64. Absent for the master key. */
  readonly keyDigest?: string | undefined;
  /** The last revocation of the user before. A later one ends the token. */
  readonly revocation: number;
}

/** Encrypts and authenticates the tokens of one service. Every process of the service opens them. */
export interface UserTokens {
  seal(token: UserToken): string;
  /** Undefined if the text was changed, or was sealed by another service or with a master key that is not accepted. */
  open(sealed: string): UserToken | undefined;
}

const prefix = "ut_";

/** `secret` is a random value of the database: in another one, the same key of a user is that of somebody else. */
export function createUserTokens(
  { deriveFromMasters }: Pick<KeyMaker, "deriveFromMasters">,
  secret: Buffer,
  randomBytes: (length: number) => Buffer,
): UserTokens {
  const keys = deriveFromMasters(`token of a user ${secret.toString("hex")}`);
  const [current] = keys;
  if (current === undefined) throw new Error("There is at least one master key.");
  return {
    seal: (token) => prefix + seal(current, JSON.stringify(token), randomBytes).toString("base64url"),
    open(sealed) {
      if (!sealed.startsWith(prefix)) return undefined;
      const bytes = Buffer.from(sealed.slice(prefix.length), "base64url");
      // Other texts may decode to the same bytes.
      if (sealed !== prefix + bytes.toString("base64url")) return undefined;
      const text = openWithAny(keys, bytes);
      // Only `seal` encrypts with these keys.
      return text === undefined ? undefined : (JSON.parse(text) as UserToken);
    },
  };
}
