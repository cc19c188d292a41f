import type { TestProject } from "vitest/node";
import { startServer } from "./start-server";

/** Starts one server for the whole test run. It may send webhooks to this machine. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, masterKey, stop } = await startServer({
    MADANG_WEBHOOK_ALLOW: "127.0.0.1/32",
    MADANG_PUSH_CONTACT: "mailto:operator@example.com",
  });
  project.provide("url", url);
  project.provide("masterKey", masterKey);
  return stop;
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
    masterKey: string;
  }
}
