import { ConflictError } from "@madang/client";

/** For setup code that can run again: an id that already exists is not an error. */
export function ignoreExisting(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}
