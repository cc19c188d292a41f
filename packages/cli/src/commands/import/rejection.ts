import { isChatError } from "@madang/client";
import { CommandError, exitCodeOf } from "../../terminal/exit-codes";

/** A row that the server rejects, with its file, line and channel. Other errors stay as they are. */
export async function explained<Result>(work: Promise<Result>, location: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw explainRejection(error, location);
  }
}

/** Whether it was done, and not rejected with one of these codes. */
export async function unlessRejected(codes: readonly string[], work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isChatError(error) && codes.includes(error.code ?? "")) return false;
    throw error;
  }
}

export function explainRejection(error: unknown, location: string): unknown {
  if (!isChatError(error) || !isRejection(error.status)) return error;
  return new CommandError(
    `${location}: the server rejects it: ${error.detail ?? error.message}`,
    exitCodeOf(error),
  );
}

/** A bad row, and not a bad key or a limit that ends by itself. */
const isRejection = (status = 0) => [400, 404, 409, 413, 422].includes(status);
