import { findFreePort } from "../../apps/server/test/support/ports.ts";
import { documentPath, startTool } from "./tool.ts";

export interface Prism {
  readonly url: string;
  stop(): Promise<void>;
}

/** Prism in front of a server: it validates requests and responses and reports violations in a header. */
export function startProxy(server: string): Promise<Prism> {
  return start(["proxy", documentPath, server]);
}

/** Prism in place of a server: it responds with the examples of the document. */
export function startMock(): Promise<Prism> {
  return start(["mock", documentPath]);
}

async function start(args: readonly string[]): Promise<Prism> {
  // Prism does not report a port that it chose itself.
  const port = await findFreePort();
  const prism = startTool("prism", [...args, "--port", `${port}`], ["ignore", "pipe", "pipe"]);
  await new Promise<void>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("is listening")) resolve();
    };
    prism.stdout?.on("data", read);
    prism.stderr?.on("data", read);
    prism.once("exit", () => reject(new Error(`Prism exited before it listened:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = new Promise((resolve) => prism.once("exit", resolve));
      prism.kill("SIGTERM");
      await ended;
    },
  };
}
