import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { HttpServer } from "../../src/serve";

/** An agent that is connected by HTTP with a key. */
export async function connectAgent({ url }: Pick<HttpServer, "url">, apiKey: string): Promise<Client> {
  const client = new Client({ name: "test-agent", version: "1.0.0" });
  const headers = { authorization: `Bearer ${apiKey}`, "user-agent": "test-agent/1.0.0" };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The structured content and the text of a result. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [first, second] = content as { text?: string }[];
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect of it
    data: structuredContent as any,
    text: first?.text ?? "",
    json: second?.text,
    isError: isError === true,
  };
}
