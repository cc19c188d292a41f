import { ChatClient } from "@madang/client";
import { masterKey, type TestServer } from "./server";

/** The real SDK, calling a test's server with the master key or another. A refusal is seen at once, not retried. */
export function chatWith(server: TestServer, apiKey = masterKey): ChatClient {
  return new ChatClient({ baseUrl: server.url, apiKey, maxRetries: 0 });
}
