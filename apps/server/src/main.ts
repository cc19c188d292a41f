#!/usr/bin/env node
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { distribute, planDistribution } from "./db/citus/distribute";
import { migrate } from "./db/migrate";
import { readMigrationStatus } from "./db/migrations";
import { SettingError } from "./errors";
import { auditCommand } from "./process/audit";
import { backUpCommand, restoreCommand } from "./process/backup";
import { erasuresCommand, repeatErasuresCommand } from "./process/erasures";
import { help } from "./process/help";
import { start } from "./process/start";
import { webhooksCommand } from "./process/webhooks";
import { readSettings } from "./settings/settings";

main().catch((error: unknown) => {
  const isSettingError = error instanceof SettingError;
  process.stderr.write(`madang-server: ${isSettingError ? error.message : describe(error)}\n`);
  process.exitCode = isSettingError ? 2 : 1;
});

async function main(): Promise<void> {
  const { positionals, values } = parseCommandLine();
  const [command, ...rest] = positionals;
  if (values.help === true || command === "help") return print(help);
  if (values.version === true) return print(`${version}\n`);
  const hasArgument =
    command === "backup" || command === "restore" || command === "webhooks" || command === "audit";
  const file = hasArgument ? rest.shift() : undefined;
  const end = command === "audit" ? rest.shift() : undefined;
  if (rest.length > 0)
    throw new SettingError(`Unexpected argument: ${rest.join(" ")}. See madang-server --help.`);
  switch (command) {
    case "start":
      return start(readSettings(process.env), {
        isMigrating: values.migrate === true,
        workers: readWorkers(values.workers),
      });
    case "migrate":
      return migrateCommand(values.status === true, values.erase);
    case "erasures":
      return print(await erasuresCommand(readSettings(process.env)));
    case "distribute":
      return distributeCommand(values["dry-run"] === true);
    case "webhooks":
      return print(await webhooksCommand(readSettings(process.env), file));
    case "audit": {
      const { text, isIntact } = await auditCommand(readSettings(process.env), file, end);
      if (!isIntact) process.exitCode = 1;
      return print(text);
    }
    case "backup":
      return print(await backUpCommand(readSettings(process.env), requireFile(file)));
    case "restore":
      return print(await restoreCommand(readSettings(process.env), requireFile(file), new Date()));
    default:
      throw new SettingError(
        command === undefined
          ? "A command is required: start, migrate, erasures, distribute, webhooks, audit, backup or restore. See madang-server --help."
          : `Unknown command: ${command}. See madang-server --help.`,
      );
  }
}

function requireFile(file: string | undefined): string {
  if (file === undefined) throw new SettingError("A file name is required, for example madang.backup.");
  return file;
}

function print(text: string): void {
  process.stdout.write(text);
}

function parseCommandLine() {
  try {
    const options = {
      help: { type: "boolean", short: "h" },
      "dry-run": { type: "boolean" },
      erase: { type: "string" },
      migrate: { type: "boolean" },
      status: { type: "boolean" },
      version: { type: "boolean", short: "v" },
      workers: { type: "string" },
    } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new SettingError(`${error instanceof Error ? error.message : error} See madang-server --help.`);
  }
}

function readWorkers(value = "1"): number {
  if (/^([1-9]|10)$/.test(value)) return Number(value);
  throw new SettingError(
    "--workers must be a number from 1 to 10: the number of processes that serve requests.",
  );
}

async function migrateCommand(isStatus: boolean, erasures: string | undefined): Promise<void> {
  const settings = readSettings(process.env);
  if (erasures !== undefined)
    return repeatErasuresCommand(settings, erasures, Date.now, (line) => print(`${line}\n`));
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === undefined)
    throw new SettingError(
      "DATABASE_URL is missing. It names the database to migrate; the embedded database is migrated when the server starts.",
    );
  if (isStatus) {
    const { applied, pending } = await readMigrationStatus(DATABASE_URL);
    print(`${applied.length} applied, ${pending.length} pending\n`);
    for (const name of pending) print(`pending ${name}\n`);
    if (pending.length > 0) process.exitCode = 1;
    return;
  }
  const applied = await migrate(DATABASE_URL, { onProgress: (line) => print(`${line}\n`) });
  if (applied.length === 0) print("The database is up to date.\n");
}

async function distributeCommand(isDryRun: boolean): Promise<void> {
  const { DATABASE_URL } = readSettings(process.env);
  if (DATABASE_URL === undefined)
    throw new SettingError("DATABASE_URL is missing. It names the database on the coordinator of Citus.");
  if (isDryRun) return print(`${(await planDistribution(DATABASE_URL)).join("\n")}\n`);
  await distribute(DATABASE_URL, (line) => print(`${line}\n`));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` ${describe(error.cause)}` : "";
  // When a connection to several addresses fails, Node's error has an empty message.
  return `${error.message || ("code" in error ? String(error.code) : error.name)}${cause}`;
}
