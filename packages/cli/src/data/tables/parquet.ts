import type { AsyncBuffer, SchemaElement } from "hyparquet";
import { openFile } from "../files/read-parts";
import { type Column, type ColumnType, columnOf, type Row, toCells, toRow } from "./column";
import type { Problem, RowEntry } from "./tables";

/** Writes batches of rows as they come. Each batch is a row group: what is held in memory while a file is written or read. */
export async function writeParquet(
  path: string,
  columns: readonly Column[],
  batches: AsyncIterable<readonly Row[]>,
): Promise<void> {
  const { fileWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaOf(columns),
    createdBy: "madang",
  });
  for await (const rows of batches) {
    const cells = rows.map((row) => toCells(columns, row));
    writer.write({
      rowGroupSize: rows.length,
      columnData: columns.map(({ name, type }, index) => ({
        name,
        data: cells.map((values) => encode(type, values[index])),
        statistics: type !== "json",
      })),
    });
  }
  writer.finish();
}

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "JSON" },
  integer: { type: "INT64" },
  boolean: { type: "BOOLEAN" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(
      ({ name, type }): SchemaElement => ({ ...elements[type], name, repetition_type: "OPTIONAL" }),
    ),
  ];
}

function encode(type: ColumnType, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  // The writer copies the objects that it knows, without a field named `__proto__`.
  if (type === "json") return Object.assign(Object.create(null), { toJSON: () => value });
  // An end may be later than a Date can be.
  return type === "integer" || type === "time" ? BigInt(Number(value)) : value;
}

/** The rows of a file, a part of a row group at a time, from either end. */
export async function* readParquet(
  path: string,
  columns: readonly Column[],
  isReversed: boolean,
): AsyncGenerator<(RowEntry | Problem)[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const handle = await openFile(path);
  try {
    const file: AsyncBuffer = {
      byteLength: (await handle.stat()).size,
      async slice(start, end = file.byteLength) {
        const bytes = new Uint8Array(end - start);
        await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer;
      },
    };
    const metadata = await parquetMetadataAsync(file);
    const names = columnNamesOf(metadata.schema);
    const present = names.map((name) => columns.find((column) => column.name === name) ?? columnOf(name));
    const ranges = rangesOf(metadata.row_groups.map(({ num_rows }) => Number(num_rows)));
    for (const range of isReversed ? ranges.reverse() : ranges) {
      const objects = await parquetReadObjects({
        parsers: { stringFromBytes, timestampFromMilliseconds: Number },
        file,
        metadata,
        columns: names,
        ...range,
      });
      const entries = objects.map((object, index) => ({
        line: range.rowStart + index + 1,
        row: toRow(
          present,
          names.map((name) => decode(object[name])),
        ),
      }));
      yield isReversed ? entries.reverse() : entries;
    }
  } finally {
    await handle.close();
  }
}

/** The names of the columns. Other programs write some that have columns of their own. */
function columnNamesOf([root, ...elements]: readonly SchemaElement[]): string[] {
  const names: string[] = [];
  let at = 0;
  const skip = (): void => {
    const { num_children = 0 } = elements[at++] ?? {};
    for (let child = 0; child < num_children; child++) skip();
  };
  for (let child = 0; child < (root?.num_children ?? 0); child++) {
    names.push(elements[at]?.name ?? "");
    skip();
  }
  return names;
}

/** Other programs write row groups of 100,000 rows and more, which need not be in memory as a whole. */
const maxRows = 10_000;

/** The row groups, those with many rows in parts. */
function rangesOf(sizes: readonly number[]): { rowStart: number; rowEnd: number }[] {
  let end = 0;
  return sizes.flatMap((size) => {
    const start = end;
    end += size;
    return Array.from({ length: Math.ceil(size / maxRows) }, (_, part) => ({
      rowStart: start + part * maxRows,
      rowEnd: start + Math.min(size, (part + 1) * maxRows),
    }));
  });
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** By default a byte order mark at the beginning of a text would be dropped. */
const stringFromBytes = (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes);

function decode(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Date ? value.getTime() : value;
}
