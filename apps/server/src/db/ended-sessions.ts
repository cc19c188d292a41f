import type { Db } from "./db";

/** Sessions of the console are in cookies alone. One that was signed out is remembered until its cookie would expire. */
export async function endSession({ prisma }: Db, id: string, expiresAt: number): Promise<void> {
  await prisma.endedSession.createMany({ data: [{ id, expiresAt }], skipDuplicates: true });
}

export async function isSessionEnded({ prisma }: Db, id: string): Promise<boolean> {
  return (await prisma.endedSession.findUnique({ where: { id } })) !== null;
}

/** Removes what has expired. */
export async function sweepEndedSessions({ prisma }: Db, now: number): Promise<void> {
  await prisma.endedSession.deleteMany({ where: { expiresAt: { lt: now } } });
}
