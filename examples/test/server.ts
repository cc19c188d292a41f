import type { TestProject } from "vitest/node";
import { startServer } from "./start-server";

/** Starts one server for the whole test run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, masterKey, stop } = await startServer();
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
