import { InterruptedError, UsageError } from "./exit-codes";
import { type Io, readInput } from "./io";
import { toPlainText } from "./output/plain-text";

/** Whether prompts are possible. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks for confirmation. Without a terminal, `--yes` is required. */
export async function confirm(io: Io, message: string): Promise<boolean> {
  if (!canAsk(io)) throw new UsageError(`${message} Without a terminal, confirm it with --yes.`);
  const { confirm: ask } = await import("@clack/prompts");
  return answerOf(await ask({ message: toPlainText(message), initialValue: false, ...streams(io) }));
}

export async function askText(io: Io, message: string, placeholder: string): Promise<string> {
  const { text } = await import("@clack/prompts");
  return answerOf(await text({ message, placeholder, defaultValue: placeholder, ...streams(io) }));
}

/** A key, hidden while it is typed. Without a terminal, the first line of standard input. */
export async function askSecret(io: Io, message: string): Promise<string> {
  if (io.stdin.isTTY !== true) {
    const [line = ""] = (await readInput(io)).split(/\r?\n/);
    if (line === "")
      throw new UsageError(`${message}: pass it on standard input, or run this at a terminal.`);
    return line.trim();
  }
  const { password } = await import("@clack/prompts");
  return answerOf(
    await password({ message, validate: (value) => (value ? undefined : "Required."), ...streams(io) }),
  );
}

function streams({ stdin, stderr, signal }: Io) {
  return { input: stdin, output: stderr, signal, withGuide: false };
}

/** Ctrl-C at a prompt is a symbol instead of an answer. */
function answerOf<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === "symbol") throw new InterruptedError();
  // The compiler does not narrow a type parameter.
  return answer as Exclude<Answer, symbol>;
}
