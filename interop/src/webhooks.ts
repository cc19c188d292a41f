import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ChatClient } from "@madang/client";
import type { Server } from "@madang/examples/start-server";
import { Webhook } from "standardwebhooks";
import type { Result } from "./result.ts";

/** Deliveries of a server that permits receivers on this machine, verified by the library of Standard Webhooks. */
export async function verifyWebhooks({ url, masterKey }: Pick<Server, "url" | "masterKey">): Promise<Result> {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    // A delivery has each of its headers once.
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const { port } = receiver.address() as AddressInfo;
  const violations: string[] = [];
  const chat = new ChatClient({ baseUrl: url, apiKey: masterKey, maxRetries: 0 });
  const first = await chat.webhooks.create({ url: `http://127.0.0.1:${port}/` });
  try {
    const verify = (secret: string, count: number) => {
      const { headers, body } = received[count - 1] ?? { headers: {}, body: "" };
      try {
        new Webhook(secret).verify(body, headers);
      } catch (error) {
        violations.push(`delivery ${count}: ${error}`);
      }
    };
    await chat.webhooks.ping(first.webhook_id);
    verify(first.secret, 1);
    const { secret } = await chat.webhooks.rotate(first.webhook_id);
    await chat.webhooks.ping(first.webhook_id);
    verify(first.secret, 2);
    verify(secret, 2);
    await chat.users.create({ user_id: "webhook_kim", name: "김" });
    for (let waited = 0; received.length < 3 && waited < 200; waited++)
      await new Promise((done) => setTimeout(done, 50));
    verify(secret, 3);
  } finally {
    await chat.webhooks.delete(first.webhook_id);
    receiver.closeAllConnections();
    receiver.close();
  }
  return { tool: "standardwebhooks", operations: received.length, violations };
}
