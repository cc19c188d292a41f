import type { Row } from "../data/tables";
import { unlessNotFound } from "./compare-by-id";
import { type Comparison, compareRows, type Difference } from "./compare-lists";

/**
 * Compares the participants or managers of each channel. A file has them in the order of its channels. Only those of one
 * channel are in memory.
 */
export async function compareEntries(
  channels: AsyncIterable<readonly Row[]>,
  file: AsyncIterable<readonly Row[]>,
  list: (channelId: string) => Promise<readonly object[]>,
  { idField, project }: Comparison,
): Promise<Difference> {
  const difference = { added: 0, changed: 0, removed: 0 };
  const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row[idField], row]));
  const groups = groupByChannel(file);
  let group = await groups.next();
  for await (const rows of channels)
    for (const { channel_id } of rows) {
      const own = !group.done && group.value.channelId === channel_id ? group.value.rows : [];
      if (own.length > 0) group = await groups.next();
      const entries = (await unlessNotFound(list(String(channel_id)))) ?? [];
      const server = entries.map((entry) => ({ channel_id, ...entry }));
      compareRows(byId(own), byId(server), project, difference);
    }
  return difference;
}

interface Group {
  readonly channelId: unknown;
  readonly rows: Row[];
}

async function* groupByChannel(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Group, undefined> {
  let group: Group | undefined;
  for await (const rows of batches)
    for (const row of rows) {
      if (group !== undefined && group.channelId !== row.channel_id) {
        yield group;
        group = undefined;
      }
      group ??= { channelId: row.channel_id, rows: [] };
      group.rows.push(row);
    }
  if (group !== undefined) yield group;
  return undefined;
}
