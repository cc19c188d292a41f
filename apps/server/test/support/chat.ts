import { ChatClient } from "@madang/client";
import { masterKey, type TestServer } from "./server";

/** The real SDK, connected to a test server, with the master key by default. It does not retry errors. */
export function chatWith(server: TestServer, apiKey = masterKey): ChatClient {
  // The machine may be busy.
  return new ChatClient({ baseUrl: server.url, apiKey, maxRetries: 0, timeoutMs: 600_000 });
}
