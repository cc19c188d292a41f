import { hash } from "node:crypto";
import type { Row } from "../../db/row";

export type ChainedEntry = Omit<Row<"AuditEntry">, "hash">;

/** The fields of an entry, in the order in which they are hashed, which is documented. */
export const entryFields = [
  "number",
  "at",
  "operation",
  "method",
  "status",
  "code",
  "kind",
  "keyId",
  "actor",
  "reason",
  "address",
  "userId",
  "channelId",
  "messageId",
] as const satisfies readonly (keyof ChainedEntry)[];

/** The hash before the first entry. */
export const firstHash = Buffer.alloc(32);

/** SHA-256 of the previous hash and a JSON array of the values of the entry. */
export function hashEntry(previous: Uint8Array, entry: ChainedEntry): Buffer {
  const values = JSON.stringify(entryFields.map((field) => entry[field]));
  return hash("sha256", Buffer.concat([previous, Buffer.from(values)]), "buffer");
}
