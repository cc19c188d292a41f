import type { AuditEntry } from "@madang/client";
import { toCsvCell } from "@madang/contract/csv";

/** All fields of an entry, in the order of their columns. One without a column does not compile. */
const columns: Readonly<Record<keyof AuditEntry, true>> = {
  entry_id: true,
  at: true,
  operation: true,
  method: true,
  status: true,
  code: true,
  kind: true,
  acting_user_id: true,
  key_id: true,
  actor: true,
  reason: true,
  address: true,
  user_id: true,
  channel_id: true,
  message_id: true,
  subject: true,
};
// They are the names of the columns above.
const fields = Object.keys(columns) as (keyof AuditEntry)[];

/** The entries as RFC 4180 has it, with times in ISO 8601. */
export function toCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) =>
    fields.map((field) =>
      toCsvCell(String(field === "at" ? new Date(entry.at).toISOString() : (entry[field] ?? ""))),
    ),
  );
  return [fields, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}
