import type { Db } from "./db";
import { rowOf } from "./row";

/** A random value that all processes of the service share: created by the first that needs it, and never changed. */
export async function requireSecret(
  { prisma }: Db,
  name: string,
  randomBytes: (length: number) => Buffer,
): Promise<Buffer> {
  await prisma.secret.createMany({
    data: [{ name, value: new Uint8Array(randomBytes(32)) }],
    skipDuplicates: true,
  });
  return rowOf(await prisma.secret.findUniqueOrThrow({ where: { name } })).value;
}
