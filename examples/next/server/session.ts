import { createHmac, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { people } from "./chat";

// Your application has a session already. This one is a signed cookie with the id of the user.
const name = "session";

export async function startSession(userId: string): Promise<void> {
  const options = { httpOnly: true, sameSite: "lax", path: "/" } as const;
  (await cookies()).set(name, `${userId}.${sign(userId)}`, options);
}

/** The id of the user who is signed in. */
export async function readSession(): Promise<string | undefined> {
  const [userId = "", signature = ""] = (await cookies()).get(name)?.value.split(".") ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(userId))];
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && Object.hasOwn(people, userId) ? userId : undefined;
}

function sign(userId: string): string {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error("SESSION_SECRET is missing.");
  return createHmac("sha256", secret).update(userId).digest("base64url");
}
