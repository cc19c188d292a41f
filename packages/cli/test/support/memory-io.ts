import { PassThrough, Readable } from "node:stream";
import { run } from "../../src/run";
import type { Io } from "../../src/terminal/io";

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly env?: Io["env"];
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/** Runs the command in this process. Nothing is a terminal. */
export async function runInMemory(args: readonly string[], given: Given = {}): Promise<Outcome> {
  const { io, stdout, stderr } = createIo(given);
  return { exitCode: await run(args, io), stdout: stdout(), stderr: stderr() };
}

export function createIo({ env = {}, input = "", signal = new AbortController().signal }: Given = {}) {
  const [stdout, stderr] = [collect(), collect()];
  const io: Io = { env, stdin: Readable.from(input), stdout: stdout.stream, stderr: stderr.stream, signal };
  return { io, stdout: stdout.text, stderr: stderr.text };
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}
