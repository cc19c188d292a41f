const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** Counts the commas outside strings: a lower bound of the number of values, known before the JSON is parsed. */
export function countCommas(json: Uint8Array): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInString && byte === backslash) at += 1;
    else if (byte === quote) isInString = !isInString;
    else if (byte === comma && !isInString) count += 1;
  }
  return count;
}
