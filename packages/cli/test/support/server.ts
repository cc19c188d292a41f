import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { type Server, startServer } from "@madang/examples/start-server";
import { startTestServer as startService } from "@madang/server/testing";
import { afterAll } from "vitest";
import { runInMemory } from "./memory-io";

type AtEnd = (end: () => Promise<void>) => void;

/**
 * A server in this process, with its SDK, and the command with its address and key. It ends after the last test of the file; within
 * a test, pass `onTestFinished`, because Vitest never calls an `afterAll` that a test registers.
 */
export async function startTestServer(atEnd: AtEnd = afterAll) {
  const folder = await mkdtemp(join(tmpdir(), "madang-command-"));
  const service = await startService({ settings: { MADANG_FILES: `folder:${join(folder, "files")}` } });
  atEnd(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  const { url, masterKey } = service;
  const env = { PATH: process.env.PATH ?? "", HOME: folder, MADANG_URL: url, MADANG_API_KEY: masterKey };
  return connect({ url, masterKey, env });
}

/** The same as a process of its own, which a test can kill. */
export async function startServerProcess(
  settings: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = afterAll,
) {
  const server = await startServer(settings);
  atEnd(() => server.stop());
  return connect(server);
}

function connect<Given extends Pick<Server, "url" | "masterKey" | "env">>(server: Given) {
  const chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
  return { ...server, chat, run: (...args: string[]) => runInMemory(args, { env: server.env }) };
}
