import { ChatClient } from "@madang/client";
import { hasOnlyWaited } from "./call";
import { masterKey, type TestServer } from "./server";

/** The real SDK, connected to a test server, with the master key by default. It retries no error, except that a request waited too long. */
export function chatWith(server: TestServer, apiKey = masterKey): ChatClient {
  // The machine may be busy.
  return new ChatClient({
    baseUrl: server.url,
    apiKey,
    maxRetries: 0,
    timeoutMs: 600_000,
    fetch: patientFetch,
  });
}

const patientFetch: typeof fetch = async (request, options) => {
  for (;;) {
    const response = await fetch(request instanceof Request ? request.clone() : request, options);
    if (response.status !== 503 || !hasOnlyWaited(await response.clone().text())) return response;
  }
};
