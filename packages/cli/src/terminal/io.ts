import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";

/** What commands may use of their process. Tests pass their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Data, and nothing else. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Messages, prompts and progress. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Writes and waits until the stream takes more, so that a slow reader does not fill the memory. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await new Promise<void>((resolve) => stream.once("drain", resolve));
}

/** All of standard input. */
export const readInput = ({ stdin }: Io): Promise<string> => text(stdin);
