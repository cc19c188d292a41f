import { ChatClient } from "@madang/client";
import { masterKey, type TestServer } from "./server";

/** In `npm run prove` a proxy stands on the way that holds what passes against the OpenAPI document. */
const { MADANG_VALIDATING_PROXY: proxy } = process.env;

/** The real SDK, calling a test's server with the master key or another. A refusal is seen at once, not retried. */
export function chatWith(server: TestServer, apiKey = masterKey): ChatClient {
  const way =
    proxy === undefined
      ? { baseUrl: server.url }
      : { baseUrl: proxy, headers: { "x-madang-server": server.url }, fetch: fetchWithoutViolation };
  return new ChatClient({ ...way, apiKey, maxRetries: 0 });
}

/** A refusal follows a request that breaks a rule: of that one only the answer has to be right. */
async function fetchWithoutViolation(input: string, init: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const violations: { location: string[] }[] = JSON.parse(response.headers.get("sl-violations") ?? "[]");
  const wrong = violations.filter(({ location }) => response.ok || location[0] === "response");
  if (wrong.length > 0)
    throw new Error(`${init.method} ${input} ${response.status}: ${JSON.stringify(wrong)}`);
  return response;
}
