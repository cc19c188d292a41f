const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/**
 * Counts the commas outside strings: a lower bound of the number of values, known before the JSON is parsed. The text is
 * passed in pieces; each call returns the count so far.
 */
export function createCommaCounter(): (piece: Uint8Array) => number {
  let count = 0;
  let isInString = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (isEscaped) isEscaped = false;
      else if (isInString && byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = !isInString;
      else if (byte === comma && !isInString) count += 1;
    }
    return count;
  };
}
