import type { AuditEntry } from "@madang/client";
import { toCsvCell } from "@madang/contract/csv";

/** All fields of an entry, in the order of their columns. */
const fields = [
  "entry_id",
  "at",
  "operation",
  "method",
  "status",
  "code",
  "kind",
  "acting_user_id",
  "key_id",
  "actor",
  "reason",
  "address",
  "user_id",
  "channel_id",
  "message_id",
  "subject",
] as const satisfies readonly (keyof AuditEntry)[];

/** The entries as RFC 4180 has it, with times in ISO 8601. */
export function toCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) =>
    fields.map((field) =>
      toCsvCell(String(field === "at" ? new Date(entry.at).toISOString() : (entry[field] ?? ""))),
    ),
  );
  return [fields, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}
