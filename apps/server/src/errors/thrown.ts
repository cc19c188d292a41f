/** The code of an error of Node, PostgreSQL or Prisma, such as ENOENT or 57P01. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;

/** The message of an error and those of its causes, of which a chain may be a circle. */
export function describeWithCauses(thrown: unknown, maxCauses = 3): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // When a connection to several addresses fails, Node's error has an empty message.
  const reason = thrown.message || codeOf(thrown) || thrown.name;
  const { cause } = thrown;
  return cause === undefined || maxCauses === 0
    ? reason
    : `${reason} ${describeWithCauses(cause, maxCauses - 1)}`;
}

/** What a file system call returns, or undefined if there is no such file. */
export async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
