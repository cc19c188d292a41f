import { withConnection } from "../../db/with-connection";
import { type ChainedEntry, firstHash, hashEntry } from "./chain";
import { entryColumns } from "./chain-store";

/** Runs SQL on one connection. */
type RunSql = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface Verification {
  /** The number of entries in the chain. */
  readonly entries: number;
  /** The first and the last number of the chain, and the hash of the last entry. */
  readonly first: number;
  readonly last: number;
  readonly hash: string;
  /** The number of committed entries that are not in the chain yet. */
  readonly queued: number;
  /** A sentence for each fault. Empty if the chain is intact. */
  readonly faults: readonly string[];
}

/** The last entry of the chain at an earlier verification, which was stored in another system. */
export interface NotedEnd {
  readonly number: number;
  readonly hash: string;
}

const entriesPerPage = 1_000;
const maxFaults = 20;

/**
 * Recomputes the chain. Each hash covers the entry and the previous hash, so an altered, removed or inserted entry does not match,
 * and neither does the stored end of the chain. A person who can write to all tables can compute a new chain: only `noted`
 * reveals that.
 */
export const verifyChain = (url: string, noted?: NotedEnd): Promise<Verification> =>
  withConnection(url, (client) =>
    verify(async (text, values = []) => (await client.query(text, [...values])).rows, noted),
  );

async function verify(run: RunSql, noted: NotedEnd | undefined): Promise<Verification> {
  await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const [end = { lastNumber: 0, lastHash: firstHash, expiredNumber: 0, expiredHash: firstHash }] =
    await run<ChainEnds>(readEnds);
  const first = Number(end.expiredNumber) + 1;
  const last = Number(end.lastNumber);
  const faults: string[] = [];
  const report = (fault: string) => void (faults.length < maxFaults && faults.push(fault));
  let expected = first;
  let hash: Uint8Array = end.expiredHash;
  let entries = 0;
  let isNotedFound = noted === undefined || noted.number < first;
  for (let after = 0; ; ) {
    const page = await run<StoredEntry>(readPage, [after, entriesPerPage]);
    for (const row of page) {
      const entry = toEntry(row);
      entries += 1;
      after = entry.number;
      if (entry.number < first || entry.number > last) {
        report(`Entry ${entry.number} was inserted: the chain has the numbers from ${first} to ${last}.`);
        continue;
      }
      if (entry.number > expected) report(describeMissing(expected, entry.number - 1));
      // After a gap, the previous hash is unknown.
      else if (!hashEntry(hash, entry).equals(row.hash))
        report(
          `Entry ${entry.number} does not match its hash: it, or the one before it, was altered or inserted.`,
        );
      if (noted?.number === entry.number) {
        isNotedFound = true;
        if (row.hash.toString("hex") !== noted.hash)
          report(
            `Entry ${entry.number} has another hash than the one that was noted: the chain was replaced.`,
          );
      }
      expected = entry.number + 1;
      hash = row.hash;
    }
    if (page.length < entriesPerPage) break;
  }
  if (expected <= last) report(describeMissing(expected, last));
  else if (!end.lastHash.equals(hash)) report("The last entry is not the one with which the chain ends.");
  if (!isNotedFound) report(`Entry ${noted?.number}, which was noted, is missing.`);
  const queued = await countQueued(run);
  await run("COMMIT");
  return {
    entries,
    first,
    last,
    hash: end.lastHash.toString("hex"),
    queued,
    faults,
  };
}

/** On Citus, the entries of channels have a queue of their own. */
async function countQueued(run: RunSql): Promise<number> {
  const queues = await run<{ name: string }>(listQueues);
  let queued = 0;
  for (const { name } of queues) {
    const [queue] = await run<{ count: string }>(`SELECT count(*) AS count FROM ${name}`);
    queued += Number(queue?.count);
  }
  return queued;
}

const describeMissing = (from: number, to: number) =>
  from === to ? `Entry ${from} is missing.` : `The entries ${from} to ${to} are missing.`;

interface ChainEnds {
  readonly lastNumber: number | string;
  readonly lastHash: Buffer;
  readonly expiredNumber: number | string;
  readonly expiredHash: Buffer;
}

/** This connection returns 64-bit integers as strings. */
type StoredEntry = Omit<ChainedEntry, "number" | "at"> & {
  readonly number: string;
  readonly at: string;
  readonly hash: Buffer;
};

const toEntry = (row: StoredEntry): ChainedEntry => ({
  ...row,
  number: Number(row.number),
  at: Number(row.at),
});

const readEnds = `SELECT last_number AS "lastNumber", last_hash AS "lastHash", expired_number AS "expiredNumber",
  expired_hash AS "expiredHash" FROM audit_chains`;

const listQueues = `SELECT name FROM unnest(ARRAY ['queued_audit_entries', 'channel_audit_entries']) AS name
  WHERE to_regclass(name) IS NOT NULL`;

const readPage = `SELECT ${entryColumns}, hash FROM audit_entries WHERE number > $1 ORDER BY number LIMIT $2`;
