/** Called with the name of a statement and how long it took. */
export type OnStatement = (name: string, durationMs: number) => void;

export async function timeStatement<Result>(
  name: string,
  onStatement: OnStatement | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (onStatement === undefined) return work();
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    onStatement(name, performance.now() - startedAt);
  }
}
