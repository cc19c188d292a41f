/** Called with the name of a statement, how long it took, and why it failed if it did. */
export type OnStatement = (name: string, durationMs: number, error?: unknown) => void;

export async function timeStatement<Result>(
  name: string,
  onStatement: OnStatement | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (onStatement === undefined) return work();
  const startedAt = performance.now();
  try {
    const result = await work();
    onStatement(name, performance.now() - startedAt);
    return result;
  } catch (error) {
    onStatement(name, performance.now() - startedAt, error);
    throw error;
  }
}
