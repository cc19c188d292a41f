import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";

// No cursor of the service begins like this.
const prefix = "sdk:";

/** A cursor that contains the query of the next page, for a list without cursors of the service. */
export const formatCursor = (query: object): string => prefix + encodeURIComponent(JSON.stringify(query));

/** The query that a cursor stands for, whether of the SDK or of the service. */
export function parseCursor(cursor: string, operation: Operation): object {
  if (!cursor.startsWith(prefix)) return { next: cursor };
  try {
    return JSON.parse(decodeURIComponent(cursor.slice(prefix.length)));
  } catch {
    throw new ValidationError("cursor", "Is not valid.", operation);
  }
}
