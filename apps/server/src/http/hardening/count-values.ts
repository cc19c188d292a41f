const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * A lower bound of the number of values, known before the JSON is parsed: at least as many as there are commas, or arrays and
 * objects, outside strings. The text is passed in pieces; each call returns the count so far.
 */
export function createValueCounter(): (piece: Uint8Array) => number {
  let commas = 0;
  let containers = 0;
  let isInString = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (isEscaped) isEscaped = false;
      else if (byte === quote) isInString = !isInString;
      else if (isInString) isEscaped = byte === backslash;
      else if (byte === comma) commas += 1;
      else if (byte === openBracket || byte === openBrace) containers += 1;
    }
    return Math.max(commas, containers);
  };
}
