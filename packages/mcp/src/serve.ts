import { createServer as createHttpServer, type ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { ChatClient } from "@madang/client";
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveOnStdio } from "@modelcontextprotocol/server/stdio";
import { readRights } from "./rights";
import { createServer, type ServerOptions } from "./server";

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
  // What is no address is rejected here, and not as the key of each request.
  new ChatClient({ baseUrl, apiKey: "none" });
  const agents = new WeakMap<AuthInfo, ServerOptions>();
  const handler = createMcpHandler(({ authInfo }) => {
    const agent = authInfo && agents.get(authInfo);
    // Every request that gets here has one.
    if (agent === undefined) throw new Error("The agent is unknown.");
    return createServer(agent);
  });
  const handle = toNodeHandler(handler);
  const authenticate = async (token: string): Promise<AuthInfo> => {
    const chat = new ChatClient({ baseUrl, apiKey: token });
    const auth = { token, clientId: "", scopes: [] };
    agents.set(auth, { chat, rights: await readRights(chat, readOnly) });
    return auth;
  };
  const isOwnHost = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const server = createHttpServer((request, response) => {
    if (!isOwnHost(request, response) || !isOwnOrigin(request, response)) return;
    // What follows the name of the host may be no address at all, such as `//`.
    if (request.url?.split("?")[0] !== "/mcp") {
      response.writeHead(404, { "content-type": "text/plain" }).end("The tools are at /mcp.\n");
      return;
    }
    const [, key] = /^Bearer (\S+)/i.exec(request.headers.authorization ?? "") ?? [];
    if (key === undefined) {
      rejectKey(response, "Send the API key of the agent in the header Authorization: Bearer.");
      return;
    }
    authenticate(key).then(
      // Node sets method and url of every request.
      (auth) => handle(Object.assign(request as NodeIncomingMessageLike, { auth }), response),
      (error: unknown) => explainFailure(response, error),
    );
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

function rejectKey(response: ServerResponse, text: string): void {
  response.writeHead(401, { "www-authenticate": "Bearer", "content-type": "text/plain" }).end(`${text}\n`);
}

/** Why the rights of a key cannot be read. */
function explainFailure(response: ServerResponse, error: unknown): void {
  const { status, kind, message } = Object(error);
  if (status === 401 || kind === "validation")
    rejectKey(response, "The service does not accept this API key.");
  else response.writeHead(status === 429 ? 429 : 502, { "content-type": "text/plain" }).end(`${message}\n`);
}
