/** The code of an error of Node, PostgreSQL or Prisma, such as ENOENT or 57P01. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
