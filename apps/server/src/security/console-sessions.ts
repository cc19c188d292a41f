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
  /** Below which the browser sends the cookie. */
  readonly cookiePath: string;
}

const nameLength = 8;

interface SessionOptions {
  /** A random value of the database: a service with the same master key and another database has another one. */
  readonly secret: Buffer;
  /** The path of the public address. */
  readonly basePath: string;
  readonly randomBytes: (length: number) => Buffer;
}

export function createConsoleSessions(
  { deriveFromMasters }: Pick<KeyMaker, "deriveFromMasters">,
  { secret, basePath, randomBytes }: SessionOptions,
): ConsoleSessions {
  const keys = deriveFromMasters(`console session ${secret.toString("hex")}`);
  return {
    cookiePath: basePath || "/",
    cookieName: `madang-console-${hash("sha256", secret).slice(0, nameLength)}`,
    ...createSealer<ConsoleSession>(keys, randomBytes),
  };
}
