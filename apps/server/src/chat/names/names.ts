import { createHash } from "node:crypto";
import { isId } from "@madang/contract";
import { inOrder } from "../../paging/id-list";
import type { NamedPosition } from "../../paging/position";
import { runInSlices } from "../../turns/in-slices";
import type { Resource } from "../../turns/resource";
import { shareReads } from "../../turns/share-reads";
import { fold } from "./fold";
import type { NamedLists } from "./names-store";

/** Where the names are. */
export interface NameSource<Row> extends Pick<NamedLists<Row>, "walk" | "findByKeys"> {
  /** In any order. */
  findByIds(ids: readonly string[]): Promise<Row[]>;
  readonly idOf: (row: Row) => string;
}

interface NameQuery {
  readonly q: string;
  readonly limit: number;
  readonly after: NamedPosition | undefined;
}

interface NamePage<Row> {
  readonly items: readonly Row[];
  /** Where the next page continues. Undefined: the search is complete. */
  readonly next: NamedPosition | undefined;
}

/** A request reads no further names after this time, and one read takes some tens of milliseconds. */
const maxReadMs = 120;
const firstSize = 500;
const maxSize = 8_000;

/**
 * Finds users or channels by words of their name, in the order of their names, and by their id. It walks the index of names and
 * compares each of them: nothing is stored that a change of a name, an erasure or an upgrade would have to keep right.
 */
export function createNameSearch<Row>(
  source: NameSource<Row>,
  resource: Resource,
): (query: NameQuery) => Promise<NamePage<Row>> {
  const share = shareReads(resource);
  return (query) => share(JSON.stringify(query), () => findByName(source, query));
}

async function findByName<Row>(
  { walk, findByKeys, findByIds, idOf }: NameSource<Row>,
  { q, limit, after }: NameQuery,
): Promise<NamePage<Row>> {
  const { matches, part } = createNameMatcher(q);
  const ids = idsOf(q);
  const withId = after === undefined ? inOrder(ids, await findByIds(ids), idOf) : [];
  const { found, next } = await walkNames({ walk, matches, part, after, limit: limit - withId.length });
  const rows = inOrder(
    found.map(({ pk }) => String(pk)),
    found.length === 0 ? [] : await findByKeys(found.map(({ pk }) => pk)),
    ({ pk }) => String(pk),
  );
  // Those with the id are on the first page. A name can have changed after it was compared, and a row have been deleted.
  const withName = rows.filter((row) => !row.isDeleted && !ids.includes(idOf(row)) && matches(row.name));
  return { items: [...withId, ...withName], next };
}

async function walkNames({
  walk,
  matches,
  part,
  after = { name: "", createdAt: 0, pk: 0 },
  limit,
}: Pick<NameSource<unknown>, "walk"> & NameMatcher & Omit<NameQuery, "q">) {
  const startedAt = performance.now();
  const found: NamedPosition[] = [];
  let position = after;
  for (let size = firstSize; performance.now() - startedAt < maxReadMs; size = Math.min(2 * size, maxSize)) {
    const walked = await walk(position, size, part);
    await runInSlices(walked, (one) => {
      if (matches(one.name)) found.push(one);
    });
    // A page is full when one more match exists, so the last page has no cursor.
    if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1] };
    const last = walked.at(-1);
    if (!last?.isLast) return { found, next: undefined };
    position = last;
  }
  return { found, next: position };
}

interface NameMatcher {
  readonly matches: (name: string) => boolean;
  /** Every folded name that matches contains it. */
  readonly part: string;
}

/** Words are separated by anything that is no letter, mark or digit. A query without words is a text anywhere in the name. */
export function createNameMatcher(query: string): NameMatcher {
  const words = wordsOf(query);
  const [part] = words.split(" ");
  if (!part) {
    const folded = fold(query);
    return { part: folded, matches: (name) => folded !== "" && fold(name).includes(folded) };
  }
  return { part, matches: (name) => ` ${wordsOf(name)}`.includes(` ${words}`) };
}

const wordsOf = (text: string) =>
  fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** The ids that a query can mean: what was sent, and what `ids.encode` of the SDK makes of it. */
export function idsOf(query: string): string[] {
  if (!isId(query)) return [encodeId(query)];
  // Other ids are their own encoding.
  const looksEncoded = /^(b32|sha)_/.test(query);
  return looksEncoded ? [query, encodeId(query)] : [query];
}

function encodeId(name: string): string {
  const bytes = Buffer.from(name);
  return bytes.length > maxEncodedBytes
    ? `sha_${toBase32(createHash("sha256").update(bytes).digest())}`
    : `b32_${toBase32(bytes)}`;
}

// As many as an id of 80 characters holds.
const maxEncodedBytes = 47;

function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{1,5}/g, (five) =>
    "abcdefghijklmnopqrstuvwxyz234567".charAt(Number.parseInt(five.padEnd(5, "0"), 2)),
  );
}
