import type { Command } from "commander";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";
import { findBaseUrl } from "../profiles/connection";

interface McpOptions {
  readonly port?: string;
  readonly readOnly?: true;
}

export function addMcp(program: Command, session: Session): void {
  const { io, output } = session;
  program
    .command("mcp")
    .summary("Serve an agent by the Model Context Protocol")
    .description(
      "Gives an agent tools to read and write the chat, with exactly the rights of the key. On standard input and output, or with --port by HTTP on this machine: then each agent sends a key of its own, and MADANG_URL is enough.",
    )
    .option("--port <number>", "serve by HTTP at http://127.0.0.1:<number>/mcp")
    .option("--read-only", "no tool changes anything")
    .addHelpText(
      "after",
      "\nExample:\n  $ claude mcp add madang --env MADANG_URL=… --env MADANG_API_KEY=… -- npx @madang/cli mcp",
    )
    .action(async ({ port, readOnly }: McpOptions) => {
      // It is large, and only this command needs it.
      const { serveHttp, serveStdio } = await import("@madang/mcp");
      if (port === undefined) {
        const onWarning = (text: string) => output.note(text);
        const { stdin, stdout } = io;
        return serveStdio(await session.connect(), { readOnly, onWarning, stdin, stdout });
      }
      const baseUrl = await findBaseUrl(io.env, session.options().profile);
      const server = await serveHttp({ baseUrl, port: requirePort(port), readOnly });
      output.note(
        `Agents connect to ${server.url} with the key of each in Authorization: Bearer. Ctrl-C ends it.`,
      );
      await new Promise((resolve) => io.signal.addEventListener("abort", resolve, { once: true }));
      await server.close();
    });
}

function requirePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError("--port must be a number from 0 to 65535.");
  return port;
}
