import type { Database, Db } from "./db";
import { defineSweep } from "./sweep-old";

/** Sessions of the console are in cookies alone. One that was signed out is remembered until its cookie would expire. */
export async function endSession({ prisma }: Database, id: string, expiresAt: number): Promise<void> {
  await prisma.endedSession.createMany({ data: [{ id, expiresAt }], skipDuplicates: true });
}

export async function isSessionEnded({ prisma }: Database, id: string): Promise<boolean> {
  return (await prisma.endedSession.findUnique({ where: { id } })) !== null;
}

/** A day more, because clocks differ. */
const keptMs = 86_400_000;
const sweep = defineSweep("sessions.sweep-ended", "ended_sessions", "id", "expires_at");

/** Removes some sessions that have expired, and returns whether more may remain. */
export const sweepEndedSessions = (db: Db): Promise<boolean> => sweep([db], keptMs);
