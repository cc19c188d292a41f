import { ids } from "@madang/client";
import { limits } from "@madang/contract/limits";

const { minLength, maxLength } = limits.userId;
const { max: maxIds } = limits.idsPerList;

/** What the id of a user or a channel looks like, for the `pattern` of an input. */
export const idPattern = `[a-z0-9_]{${minLength},${maxLength}}`;

/** What `ids.encode` of the SDK made the id of. Undefined for other ids. */
export function decodeId(id: string): string | undefined {
  try {
    const decoded = ids.decode(id);
    return decoded === id ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Lists of as many ids as a request may name. */
export function inRequests(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, index) =>
    ids.slice(index * maxIds, (index + 1) * maxIds),
  );
}
