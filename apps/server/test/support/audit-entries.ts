import { everySchema, type Statement } from "../../src/db/db";
import type { TestServer } from "./server";

interface Found {
  readonly number: number;
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly code: string | null;
  readonly kind: string;
  /** The whole row. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The entries of the audit log, oldest first. */
export async function readEntries({ db }: Pick<TestServer, "db">): Promise<Found[]> {
  const found = await Promise.all(everySchema(db).map((place) => place.query(read)));
  return found.flat().sort((one, other) => one.number - other.number);
}

/** As in a database without entries. */
export async function removeEntries({ db }: Pick<TestServer, "db">): Promise<void> {
  await Promise.all(everySchema(db).map((place) => place.query(remove)));
}

const remove: Statement<unknown> = {
  name: "test.remove-audit-entries",
  text: "DELETE FROM audit_entries RETURNING 1",
};

const read: Statement<Found> = {
  name: "test.read-audit-entries",
  text: "SELECT number, operation, method, status, code, kind, to_jsonb(e) AS entry FROM audit_entries e ORDER BY number",
};
