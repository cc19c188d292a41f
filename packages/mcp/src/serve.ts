import { createServer as createHttpServer } from "node:http";
import type { Readable, Writable } from "node:stream";
import { ChatClient } from "@madang/client";
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveOnStdio } from "@modelcontextprotocol/server/stdio";
import { readRights } from "./rights";
import { createServer } from "./server";

export interface ServeOptions {
  /** Removes every tool that changes something. Default `false`. */
  readonly readOnly?: boolean | undefined;
  /** Receives what the person who started the server should know, such as a key with more rights than an agent needs. */
  readonly onWarning?: (text: string) => void;
}

export interface StdioOptions extends ServeOptions {
  /** Default: those of the process. */
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
}

/**
 * Serves an agent on standard input and output, with the key of the client. Resolves when the agent has closed its end.
 * Throws the errors of `keys.self` if the service does not accept the key.
 */
export async function serveStdio(chat: ChatClient, options: StdioOptions = {}): Promise<void> {
  const { readOnly = false, onWarning, stdin = process.stdin, stdout = process.stdout } = options;
  const rights = await readRights(chat, readOnly);
  if (rights.warning !== undefined) onWarning?.(rights.warning);
  const ended = new Promise((resolve) => stdin.once("close", resolve).once("end", resolve));
  const handle = serveOnStdio(() => createServer({ chat, rights }), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  await ended;
  await handle.close();
}

export interface HttpOptions extends ServeOptions {
  /** The address of the service. */
  readonly baseUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A running server. */
export interface HttpServer {
  /** Where agents connect to, such as `http://127.0.0.1:3100/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves agents by Streamable HTTP on the loopback address. Each request carries the key of its agent, as
 * `Authorization: Bearer`. Requests of other hosts and origins are rejected.
 */
export async function serveHttp({ baseUrl, port, readOnly = false }: HttpOptions): Promise<HttpServer> {
  const handler = createMcpHandler(async ({ requestInfo }) => {
    const apiKey = readKey(requestInfo);
    const chat = new ChatClient({ baseUrl, apiKey });
    return createServer({ chat, rights: await readRights(chat, readOnly) });
  });
  const handle = toNodeHandler(handler);
  const isOwnHost = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const server = createHttpServer((request, response) => {
    if (!isOwnHost(request, response) || !isOwnOrigin(request, response)) return;
    // What follows the name of the host may be no address at all, such as `//`.
    if (request.url?.split("?")[0] !== "/mcp") {
      response.writeHead(404, { "content-type": "text/plain" }).end("The tools are at /mcp.\n");
      return;
    }
    if (!/^Bearer \S/i.test(request.headers.authorization ?? "")) {
      response
        .writeHead(401, { "www-authenticate": "Bearer", "content-type": "text/plain" })
        .end("Send the API key of the agent in the header Authorization: Bearer.\n");
      return;
    }
    // Node sets method and url of every request.
    void handle(request as NodeIncomingMessageLike, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const usedPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${usedPort}/mcp`,
    async close() {
      await handler.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

const readKey = (request: Request | undefined) =>
  /^Bearer (\S+)/i.exec(request?.headers.get("authorization") ?? "")?.[1] ?? "";
