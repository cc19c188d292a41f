import { ServiceError } from "../errors/service-error";
import { createSealer, type Sealer } from "./seal";
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

export type UserTokens = Sealer<UserToken>;

const prefix = "ut_";

/** `secret` is a random value of the database: in another one, the same key of a user is that of somebody else. */
export function createUserTokens(
  { deriveFromMasters }: Pick<KeyMaker, "deriveFromMasters">,
  secret: Buffer,
  randomBytes: (length: number) => Buffer,
): UserTokens {
  const keys = deriveFromMasters(`token of a user ${secret.toString("hex")}`);
  const { seal, open } = createSealer<UserToken>(keys, randomBytes);
  return {
    seal: (token) => prefix + seal(token),
    open: (text) => (text.startsWith(prefix) ? open(text.slice(prefix.length)) : undefined),
  };
}

export const invalidToken = () =>
  new ServiceError(
    "unauthenticated",
    "The token is invalid. It has expired or was revoked, or its user or the key that created it was deleted. Get another one from the application.",
  );
