import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen";

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** A server that records requests and responds with the given replies. */
export async function startRecordingServer(reply: (path: string) => Reply) {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const sentText = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const { method = "", headers } = request;
    const body: unknown = sentText === "" ? undefined : JSON.parse(sentText);
    requests.push({ method, path: pathname, query: Object.fromEntries(searchParams), body, headers });
    const { status, body: sent } = reply(pathname);
    response.writeHead(status, {
      "content-type": status < 400 ? "application/json" : "application/problem+json",
    });
    response.end(sent === undefined ? undefined : JSON.stringify(sent));
  });
  return { requests, ...(await listen(server)) };
}
