import { hash } from "node:crypto";
import type { Row } from "../../db/row";

export type ChainedEntry = Omit<Row<"AuditEntry">, "hash">;

/** The hash before the first entry. */
export const firstHash = Buffer.alloc(32);

/** SHA-256 of the previous hash and a JSON array of the values of the entry. The order of the values is documented. */
export function hashEntry(previous: Uint8Array, entry: ChainedEntry): Buffer {
  const values = [
    entry.number,
    entry.at,
    entry.operation,
    entry.method,
    entry.status,
    entry.code,
    entry.kind,
    entry.keyId,
    entry.actor,
    entry.reason,
    entry.address,
    entry.userId,
    entry.channelId,
    entry.messageId,
  ];
  return hash("sha256", Buffer.concat([previous, Buffer.from(JSON.stringify(values))]), "buffer");
}
