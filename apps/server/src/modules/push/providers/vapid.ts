import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { KeyMaker } from "../../../security/secret";

/** Identifies this service to services of Web Push (RFC 8292). */
export interface Vapid {
  /** In base64url, for `applicationServerKey`. */
  readonly publicKey: string;
  /** The value of `Authorization` for a push to an origin. */
  authorize(origin: string): string;
}

/** Push services accept at most 24 hours. */
const lifetimeMs = 12 * 3_600_000;
const renewalMs = 3_600_000;
const maxOrigins = 1_000;

/** The key pair is derived, so every process of the database has it, and nothing is stored. `contact` is a `mailto:` or `https:` address. */
export function createVapid({ derive }: Pick<KeyMaker, "derive">, contact: string, now: () => number): Vapid {
  const secret = derive("web push");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  const publicKey = pair.getPublicKey("base64url");
  const key = toPrivateKey(secret, pair.getPublicKey());
  const headers = new Map<string, { readonly value: string; readonly renewAt: number }>();
  return {
    publicKey,
    authorize(origin) {
      const known = headers.get(origin);
      const time = now();
      if (known !== undefined && time < known.renewAt) return known.value;
      const exp = Math.floor((time + lifetimeMs) / 1_000);
      const token = signToken(key, { typ: "JWT" }, { aud: origin, exp, sub: contact });
      const value = `vapid t=${token}, k=${publicKey}`;
      if (headers.size >= maxOrigins) headers.clear();
      headers.set(origin, { value, renewAt: time + renewalMs });
      return value;
    },
  };
}

/** A JSON Web Token with ES256. */
export function signToken(key: KeyObject, header: object, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg: "ES256", ...header })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

function toPrivateKey(secret: Buffer, point: Buffer): KeyObject {
  const encode = (bytes: Buffer) => bytes.toString("base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: "EC", crv: "P-256", d: encode(secret), x: encode(x), y: encode(y) };
  return createPrivateKey({ key: jwk, format: "jwk" });
}
