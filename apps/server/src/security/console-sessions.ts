import { hash } from "node:crypto";
import { openWithAny, seal } from "./seal";
import type { KeyMaker } from "./secret";

/** A person who signed in to the console with a key. Only the cookie has it. */
export interface ConsoleSession {
  readonly id: string;
  /** The digest of the key, in base64. The session is valid as long as the key is. */
  readonly keyDigest: string;
  /** Absent for the master key. */
  readonly keyId?: string;
  /** The name of the person. */
  readonly actor: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Whether the cookie was set for HTTPS only. */
  readonly isSecure: boolean;
}

/** Encrypts and authenticates the sessions of one service. Every process of the service opens them. */
export interface ConsoleSessions {
  /** Differs between services: on one host, they share their cookies whatever their ports are. */
  readonly cookieName: string;
  seal(session: ConsoleSession): string;
  /** Undefined if the text was changed, or was sealed by another service or with a master key that is not accepted. */
  open(sealed: string): ConsoleSession | undefined;
}

const nameLength = 8;

/** `secret` is a random value of the database: a service with the same master key and another database has another one. */
export function createConsoleSessions(
  { deriveFromMasters }: Pick<KeyMaker, "deriveFromMasters">,
  secret: Buffer,
  randomBytes: (length: number) => Buffer,
): ConsoleSessions {
  const keys = deriveFromMasters(`console session ${secret.toString("hex")}`);
  const [current] = keys;
  if (current === undefined) throw new Error("There is at least one master key.");
  return {
    cookieName: `madang-console-${hash("sha256", secret).slice(0, nameLength)}`,
    seal: (session) => seal(current, JSON.stringify(session), randomBytes).toString("base64url"),
    open(sealed) {
      const text = openWithAny(keys, Buffer.from(sealed, "base64url"));
      // Only `seal` encrypts with these keys.
      return text === undefined ? undefined : (JSON.parse(text) as ConsoleSession);
    },
  };
}
