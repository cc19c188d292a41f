import type { CallOptions } from "../options";

/**
 * Deletes keys with one request for each, and returns the result of the last one, or of `otherwise` without keys. An idempotency key is
 * valid for one request, so each request after the first has it with a number.
 */
export async function deleteEach<Result>(
  keys: readonly string[],
  options: CallOptions | undefined,
  deleteOne: (key: string, options: CallOptions | undefined) => Promise<Result>,
  otherwise: () => Promise<Result>,
): Promise<Result> {
  let last: { result: Result } | undefined;
  for (const [index, key] of [...new Set(keys)].entries()) {
    const own = index > 0 &&
      options?.idempotencyKey !== undefined && { idempotencyKey: `${options.idempotencyKey}-${index}` };
    last = { result: await deleteOne(key, { ...options, ...own }) };
  }
  return last ? last.result : otherwise();
}
