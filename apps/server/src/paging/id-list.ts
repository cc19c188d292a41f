import { invalidField } from "../errors/service-error";

/** Rejects parameters beside a list of ids, which is complete by itself. */
export function requireAlone(name: string, rest: Readonly<Record<string, unknown>>): void {
  const [other] = Object.keys(rest).filter((each) => rest[each] !== undefined);
  if (other !== undefined) throw invalidField("query", other, `It cannot be sent together with ${name}.`);
}

/** The items with the ids, in the order of the ids, each once. */
export function inOrder<Item>(
  ids: readonly string[],
  items: readonly Item[],
  idOf: (item: Item) => string,
): Item[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
