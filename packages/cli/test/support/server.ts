import { ChatClient } from "@madang/client";
import { startServer } from "@madang/examples/start-server";
import { afterAll } from "vitest";
import { runInMemory } from "./memory-io";

/** A server until the last test of the file, with its SDK, and the command with its address and key. */
export async function startTestServer(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(settings);
  afterAll(() => server.stop());
  const chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
  return { ...server, chat, run: (...args: string[]) => runInMemory(args, { env: server.env }) };
}
