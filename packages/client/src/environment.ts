/** An environment variable, or `undefined` where it is empty, or where the runtime has none or does not permit reading it. */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}
