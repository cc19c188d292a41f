import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { bind } from "../../src/http/listen/bind";

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
    const body = await text(request);
    // Node lists no header twice that a delivery has.
    const headers = request.headers as Record<string, string>;
    const delivery = { headers, text: body, event: JSON.parse(body) };
    deliveries.push(delivery);
    receiver.respond(delivery, response);
  });
  const url = await bind(server, { PORT: 0, HOST: "127.0.0.1" });
  const receiver: Receiver = {
    url: `${url}/`,
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
