/** Where a value lies among the bytes of its rows. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads the fields of one row in their order. */
export interface FieldReader {
  /** A 64-bit integer; times and keys stay far below 2^53. */
  number(): number;
  text(): Span;
  textOrNull(): Span | null;
}

/** A signature of 11 bytes, 4 of flags and 4 that say how long an extension is, of which there is none. */
const headerLength = 19;
const endOfRows = -1;
const high = 2 ** 32;

/** Goes through rows in PostgreSQL's binary COPY format, and makes one object of each. */
export function readCopiedRows<Row>(bytes: Buffer, readRow: (fields: FieldReader) => Row): Row[] {
  let place = headerLength;
  const length = () => {
    place += 4;
    return bytes.readInt32BE(place - 4);
  };
  const textOrNull = () => {
    const size = length();
    if (size < 0) return null;
    place += size;
    return { start: place - size, end: place };
  };
  const fields: FieldReader = {
    number() {
      requireSize(length(), 8);
      place += 8;
      return bytes.readInt32BE(place - 8) * high + bytes.readUInt32BE(place - 4);
    },
    text: () => textOrNull() ?? refuseNull(),
    textOrNull,
  };
  const rows: Row[] = [];
  while (bytes.readInt16BE(place) !== endOfRows) {
    place += 2;
    rows.push(readRow(fields));
  }
  return rows;
}

function requireSize(size: number, expected: number): void {
  if (size !== expected)
    throw new Error(`A field of ${size} bytes came where one of ${expected} was asked for.`);
}

function refuseNull(): never {
  throw new Error("A field came without a value where one was asked for.");
}
