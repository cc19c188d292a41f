import { ChatError } from "./chat-error";
import { copyCause } from "./secrets";

/** A connection that failed or broke, by the one error that ky takes for it on every runtime. */
export class FetchFailure extends TypeError {
  /** @param cause What `fetch` or a body reported. */
  constructor(cause: Error) {
    super("fetch failed", { cause });
  }
}

/** Waits for `fetch`, or for a part of a body: what goes wrong meanwhile is a failure of the connection, and nothing else is. */
export async function transfer<Value>(
  start: () => PromiseLike<Value>,
  secrets: Iterable<string>,
): Promise<Value> {
  try {
    return await start();
  } catch (error) {
    throw error instanceof ChatError ? error : new FetchFailure(copyCause(error, secrets));
  }
}

/** Whether the program or its environment is at fault, as where a built-in is missing. It is neither retried nor wrapped. */
export function isDefect(error: unknown): error is Error {
  if (error instanceof FetchFailure) return false;
  return error instanceof TypeError || error instanceof ReferenceError;
}
