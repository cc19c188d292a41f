"use server";

import { redirect } from "next/navigation";
import { people, prepare } from "./chat";
import { startSession } from "./session";

/** Believes who the person says to be. Yours asks for a password. */
export async function signIn(form: FormData): Promise<void> {
  const userId = String(form.get("user"));
  if (!Object.hasOwn(people, userId)) return;
  await prepare();
  await startSession(userId);
  redirect("/");
}
