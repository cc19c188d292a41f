import type { Database } from "./db";
import { fromPrisma } from "./row";

/** A random value that all processes share. The first process that needs it creates it; it never changes. */
export async function requireSecret(
  { prisma }: Database,
  name: string,
  randomBytes: (length: number) => Buffer,
): Promise<Buffer> {
  await prisma.secret.createMany({
    data: [{ name, value: new Uint8Array(randomBytes(32)) }],
    skipDuplicates: true,
  });
  return fromPrisma(await prisma.secret.findUniqueOrThrow({ where: { name } })).value;
}
