import { isUniqueViolation } from "../db/faults";
import { ServiceError } from "../errors/service-error";
import { isIdempotencyKeyTaken } from "./idempotency-store";

const maxAttempts = 10;

/**
 * Runs a write until it takes effect or is rejected for a reason that was true at one moment during the request. Returns the
 * first row of the write.
 *
 * A write without an effect returns no rows and does not report why, and a later query may see another state, which would allow it. So
 * `explain` reads with a single statement. It throws the rejection, or returns the result if there is nothing to write.
 * If the state allows the write, it returns undefined: something changed in between, and the write runs again. From the second
 * attempt on, the write may take a lock, or first remove what was in the way.
 *
 * A write that inserts a row which another request has inserted since its snapshot fails, and has no effect either.
 */
export async function writeOrExplain<Result>(
  write: (attempt: number) => Promise<readonly Result[]>,
  explain: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [written] = await write(attempt).catch(returnNoneIfInserted);
    const result = written ?? (await explain());
    if (result !== undefined) return result;
  }
  throw new ServiceError(
    "unavailable",
    "The request repeatedly conflicted with concurrent changes. Try again shortly.",
  );
}

function returnNoneIfInserted(error: unknown): never[] {
  if (isUniqueViolation(error) && !isIdempotencyKeyTaken(error)) return [];
  throw error;
}
