import type { Statement } from "../../src/db/db";
import { chainEntries } from "../../src/resources/audit/chain-store";
import type { TestServer } from "./server";

interface Found {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly code: string | null;
  readonly kind: string;
  /** The whole row. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Chains the entries that are committed, and reads the chain. */
export async function takeEntries({ db }: TestServer): Promise<Found[]> {
  await chainEntries(db);
  return db.query(readEntries);
}

const readEntries: Statement<Found> = {
  name: "test.read-audit-entries",
  text: "SELECT operation, method, status, code, kind, to_jsonb(e) AS entry FROM audit_entries e ORDER BY number",
};
