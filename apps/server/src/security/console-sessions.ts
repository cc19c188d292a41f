import { hash } from "node:crypto";
import { createSealer, type Sealer } from "./seal";
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

export interface ConsoleSessions extends Sealer<ConsoleSession> {
  /** Differs between services: on one host, they share their cookies whatever their ports are. */
  readonly cookieName: string;
}

const nameLength = 8;

/** `secret` is a random value of the database: a service with the same master key and another database has another one. */
export function createConsoleSessions(
  { deriveFromMasters }: Pick<KeyMaker, "deriveFromMasters">,
  secret: Buffer,
  randomBytes: (length: number) => Buffer,
): ConsoleSessions {
  const keys = deriveFromMasters(`console session ${secret.toString("hex")}`);
  return {
    cookieName: `madang-console-${hash("sha256", secret).slice(0, nameLength)}`,
    ...createSealer<ConsoleSession>(keys, randomBytes),
  };
}
