import { closest, distance } from "fastest-levenshtein";

/** The known name that a misspelled one probably means: the closest, if at most a third of its characters differ. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  const maxEdits = Math.min(3, Math.floor(name.length / 3));
  const found = closest(name, known);
  return distance(name, found) <= maxEdits ? found : undefined;
}
