import { Argument, type Command } from "commander";
import type { Session } from "../../session";
import { write } from "../../terminal/io";
import { toPlainText } from "../../terminal/output/plain-text";
import { readProfiles } from "../profiles/store";
import { findCandidates } from "./candidates";
import { scripts } from "./scripts";

export function addCompletion(program: Command, { io }: Session): void {
  program
    .command("completion")
    .summary("Print a completion script for a shell")
    .description(
      "Prints a script that completes commands, options and their values. bash: source <(madang completion bash). zsh: source <(madang completion zsh), after compinit. fish: madang completion fish | source.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .action(async (shell: keyof typeof scripts) => write(io.stdout, scripts[shell]));
  program
    .command("complete", { hidden: true })
    .description("Prints what can follow the given words: what completion scripts call.")
    .argument("[words...]", "the words after madang; the last one may be incomplete")
    .action(async (words: string[]) => {
      // An unreadable file of profiles is no reason to complete nothing.
      const { profiles } = await readProfiles(io.env).catch(() => ({ profiles: {} }));
      const lines = findCandidates(program, words, Object.keys(profiles)).map(
        ({ word, description }) => `${toPlainText(word)}\t${description}\n`,
      );
      await write(io.stdout, lines.join(""));
    });
}
