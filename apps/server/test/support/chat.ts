import { ChatClient } from "@madang/client";
import { masterKey, type TestServer } from "./server";

/** `npm run interop` sets the URL of a proxy that validates every request and response against the OpenAPI document. */
const { MADANG_VALIDATING_PROXY: proxy } = process.env;

/** The real SDK, connected to a test server, with the master key by default. It does not retry errors. */
export function chatWith(server: TestServer, apiKey = masterKey): ChatClient {
  // The machine may be busy.
  const options = { apiKey, maxRetries: 0, timeoutMs: 600_000 };
  if (proxy === undefined) return new ChatClient({ baseUrl: server.url, ...options });
  return new ChatClient({
    baseUrl: proxy,
    headers: { "x-madang-server": server.url },
    // The proxy reads every response to its end, and a stream has none.
    fetch: (input, init) =>
      input.includes("/events/stream")
        ? fetch(input.replace(proxy, server.url), init as RequestInit)
        : fetchWithoutViolation(input, init as RequestInit),
    ...options,
  });
}

/** A rejected request may violate the document, but its response must not. */
async function fetchWithoutViolation(input: string, init: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const violations: { location: string[] }[] = JSON.parse(response.headers.get("sl-violations") ?? "[]");
  const relevant = violations.filter(({ location }) => response.ok || location[0] === "response");
  if (relevant.length > 0)
    throw new Error(`${init.method} ${input} ${response.status}: ${JSON.stringify(relevant)}`);
  return response;
}
