import { cancel, isCancel, password, select } from "@clack/prompts";
import { type Template, templates } from "./copy.ts";

const hints: Record<Template, string> = {
  vite: "a page with Vite, and a server with Hono",
  next: "Next.js with a session, rendered by the server first",
  expo: "an app for Android and iOS with Expo, and a server with Hono",
};

export async function askForTemplate(): Promise<Template> {
  const options = templates.map((value) => ({ value, label: value, hint: hints[value] }));
  return orExit(await select({ message: "Which template?", options }));
}

export async function askForKey(url: string): Promise<string> {
  const message = `An API key of the Madang at ${url}? It goes into .env. Empty: later`;
  return orExit(await password({ message, validate: () => undefined })) ?? "";
}

function orExit<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (!isCancel(answer)) return answer as Exclude<Answer, symbol>;
  cancel("Nothing was written.");
  process.exit(130);
}
