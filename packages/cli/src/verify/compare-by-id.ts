import { isChatError } from "@madang/client";
import type { Row } from "../data/tables";
import { type Comparison, compareRows, type Difference } from "./compare-lists";

/** Compares rows with the resources of their ids: for a file that has only some of those that the server has. */
export async function compareById(
  file: AsyncIterable<readonly Row[]>,
  get: (id: string) => Promise<object>,
  { idField, project }: Comparison,
): Promise<Difference> {
  const difference = { added: 0, changed: 0, removed: 0 };
  for await (const rows of file)
    for (const row of rows) {
      const id = String(row[idField]);
      const found = await unlessNotFound(get(id));
      const server = new Map(found && [[id, { ...found }]]);
      compareRows(new Map([[id, row]]), server, project, difference);
    }
  return difference;
}

/** Undefined for what does not exist any more. */
export async function unlessNotFound<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isChatError(error) && error.status === 404) return undefined;
    throw error;
  }
}
