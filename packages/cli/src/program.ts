import { Command } from "commander";
import { version } from "../package.json";
import { addCompletion } from "./commands/completion/add-completion";
import { addDoctor } from "./commands/doctor/add-doctor";
import { addListen } from "./commands/events/add-listen";
import { addTail } from "./commands/events/add-tail";
import { addExport } from "./commands/export/add-export";
import { addFilesPut } from "./commands/files/add-files-put";
import { addIds } from "./commands/ids/add-ids";
import { addImport } from "./commands/import/add-import";
import { addMcp } from "./commands/mcp/add-mcp";
import { addOperations } from "./commands/operations/add-operations";
import { addExportPerson } from "./commands/privacy/add-export-person";
import { addLogin } from "./commands/profiles/add-login";
import { addProfiles } from "./commands/profiles/add-profiles";
import { addSearch } from "./commands/search/add-search";
import { addUpsert } from "./commands/upsert/add-upsert";
import { addVerify } from "./commands/verify/add-verify";
import { createSession, type GlobalOptions } from "./session";
import type { Io } from "./terminal/io";

const description = `Every operation of a Madang chat server, from a terminal.

Data goes to standard output, everything else to standard error.
Exit codes: 0 done, 1 failed, 2 usage, 3 not allowed, 4 not found, 130 interrupted.`;

/** The whole command line. Commands are parsed and run by `parseAsync`; nothing ends the process. */
export function createProgram(io: Io): Command {
  const program = new Command("madang")
    .description(description)
    .version(version, "-V, --version", "print the version")
    .option("--profile <name>", "use this profile, not the environment or the current profile")
    .option("--json", "print lines of JSON instead of a table")
    .option("--audit-actor <name>", "who uses the command, for the audit log; by default MADANG_ACTOR")
    .option("--audit-reason <text>", "why it is used, for the audit log; by default MADANG_REASON")
    .option("--debug", "print each request to standard error; never a key")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showHelpAfterError("(add --help for the options)")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  const session = createSession(io, () => program.opts<GlobalOptions>());
  program.commandsGroup("Settings:");
  addLogin(program, session);
  addProfiles(program, session);
  addDoctor(program, session);
  addCompletion(program, session);
  program.commandsGroup("Data:");
  addExport(program, session);
  addVerify(program, session);
  addImport(program, session);
  addSearch(program, session);
  addExportPerson(program, session);
  addIds(program, io);
  program.commandsGroup("Events:");
  addTail(program, session);
  addListen(program, session);
  addMcp(program, session);
  program.commandsGroup("Operations:");
  addOperations(program, session);
  addFilesPut(program, session);
  addUpsert(program, session);
  return program;
}

function helpWidth({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return isTTY ? Math.min(columns ?? 80, 100) : 80;
}
