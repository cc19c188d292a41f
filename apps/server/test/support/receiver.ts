import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // The tests read events of every type and assert on the values.
  readonly event: ReturnType<typeof JSON.parse>;
}

export interface Receiver {
  readonly url: string;
  /** Every delivery that arrived, in this order. */
  readonly deliveries: Delivery[];
  /** What it does next: 204 by default. */
  respond: (delivery: Delivery, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    // Node lists no header twice that a delivery has.
    const headers = request.headers as Record<string, string>;
    const delivery = { headers, text, event: JSON.parse(text) };
    deliveries.push(delivery);
    receiver.respond(delivery, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    respond: (_delivery, response) => respondWith(response, 204),
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return receiver;
}

export function respondWith(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
