/**
 * The Range header of a request as RFC 9110 reads it, in a form that Express reads in the same way. Undefined: the request is answered
 * with the whole file. An invalid header is ignored, and the last bytes of a file that has fewer are all of it.
 */
export function normalizeRange(header: string | undefined, size: number): string | undefined {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? "") ?? [];
  if (list === undefined) return undefined;
  const parts = list.split(",").map((part) => part.trim());
  if (!parts.every(isValid)) return undefined;
  return `bytes=${parts.map((part) => (lastBytesOf(part) >= size ? "0-" : part)).join(",")}`;
}

/** `0-499`, `500-` or `-500`. */
function isValid(part: string): boolean {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(part) ?? [];
  if (first === undefined || last === undefined || first + last === "") return false;
  return first === "" || last === "" || Number(first) <= Number(last);
}

/** How many of the last bytes the part asks for; 0 if it names the first one. */
const lastBytesOf = (part: string): number => (part.startsWith("-") ? Number(part.slice(1)) : 0);
