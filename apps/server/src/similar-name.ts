/** The known name that a misspelled one probably means: the closest, if at most a third of its characters differ. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  const maxEdits = Math.min(3, Math.floor(name.length / 3));
  const found = known.map((one) => ({ one, edits: countEdits(name, one) }));
  const [closest] = found.sort((one, other) => one.edits - other.edits);
  return closest !== undefined && closest.edits <= maxEdits ? closest.one : undefined;
}

/** How many characters have to be inserted, removed or replaced: the Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from) {
    const next = [(row[0] ?? 0) + 1];
    for (const [column, other] of [...to].entries()) {
      const [replaced = 0, removed = 0] = row.slice(column, column + 2);
      const inserted = next[column] ?? 0;
      next.push(Math.min(replaced + (letter === other ? 0 : 1), removed + 1, inserted + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
