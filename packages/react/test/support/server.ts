import { startTestServer } from "@madang/server/testing";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    service: { readonly url: string; readonly masterKey: string };
  }
}

/** One server for all files: each test has users and channels of its own. */
export async function setup({ provide }: TestProject) {
  const server = await startTestServer({
    settings: { MADANG_FILES: "folder:node_modules/.cache/madang-files" },
  });
  provide("service", { url: server.url, masterKey: server.masterKey });
  return server.close;
}
