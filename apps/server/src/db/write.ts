import { ServiceError } from "../errors";

const maxAttempts = 10;

/**
 * Runs a write until it takes effect, or until the request is rejected for a reason that was true while it ran.
 *
 * A write that had no effect does not say why, and what a later look finds may be another state, which would allow it.
 * So `explain` looks with one statement, which sees one moment. It throws the rejection; or it returns the result, if
 * there is nothing left to write; or it returns nothing, if the write would be allowed at that moment: then something
 * changed between the two statements, and the write runs again.
 */
export async function writeOrExplain<Result>(
  write: () => Promise<Result | undefined>,
  explain: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const result = (await write()) ?? (await explain());
    if (result !== undefined) return result;
  }
  throw new ServiceError(
    "unavailable",
    "Other requests kept changing what this one depends on. Try again shortly.",
  );
}
