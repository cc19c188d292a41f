import { randomBytes } from "node:crypto";
import { Argument, Command, Option } from "commander";
import { version } from "../../package.json";
import { defaultSchemaCount, distribute, planDistribution } from "../db/citus/distribute";
import { migrate } from "../db/migrations/migrate";
import { readMigrationStatus } from "../db/migrations/migrations";
import { SettingError } from "../errors/service-error";
import { readSettings, settingDescriptions } from "../settings/settings";
import { backUpCommand, restoreCommand } from "./commands/backup";
import { erasuresCommand, repeatErasuresCommand } from "./commands/erasures";
import { adoptFiles, checkFiles } from "./commands/files";
import { switchWebhooks } from "./commands/webhooks";
import { start } from "./start";

const settings = settingDescriptions.map(([name, description]) => `  ${name}\n      ${description}\n`);

const pages = `
Settings (environment variables)
${settings.join("")}
Exit codes: 0 stopped as requested, 1 failed, 2 wrong command line or setting.`;

/** The command line of the server. */
export function createProgram(): Command {
  const program = new Command("madang-server")
    .description("A chat backend that an application calls server to server.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", pages)
    // `main` reports errors.
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });

  program
    .command("start")
    .description("start the server; the database must be migrated")
    .option("--migrate", "apply pending migrations first", false)
    .option(
      "--workers <number>",
      "1 to 10 processes on one port, which share the database connections; each serves its metrics on a port of its own, counted up from MADANG_METRICS_PORT",
      readWorkers,
      1,
    )
    .action(({ migrate: isMigrating, workers }: { migrate: boolean; workers: number }) =>
      start(readSettings(process.env), { isMigrating, workers }),
    );

  program
    .command("migrate")
    .description("apply pending migrations, then exit; servers may run meanwhile")
    .option("--status", "print the pending migrations, and exit with 1 if there are some")
    .addOption(
      new Option(
        "--erase <file>",
        "for a restored database: also repeat the erasures that the file lists; no server may run meanwhile",
      ).conflicts("status"),
    )
    .action(migrateDatabase);

  program
    .command("erasures")
    .description("print all erasures of users, one JSON object per line, for a later restore of a backup")
    .action(async () => print(await erasuresCommand(readSettings(process.env))));

  program
    .command("distribute")
    .description("distribute the channels over the workers of Citus; no server may run meanwhile")
    .option("--dry-run", "print the steps that are left and the sizes of the tables")
    .option(
      "--schemas <count>",
      "into how many schemas the channels are divided: the largest number of workers that can have some",
      readSchemaCount,
      defaultSchemaCount,
    )
    .action(distributeDatabase);

  program
    .command("webhooks")
    .description(
      "pause or resume the deliveries of a database to its webhooks; a restored database begins paused",
    )
    .addArgument(new Argument("<action>").choices(["pause", "resume"]))
    .action(async (action: "pause" | "resume") =>
      print(await switchWebhooks(readSettings(process.env), action)),
    );

  program
    .command("files")
    .description(
      "check: compare the storage of files with the database; adopt: mark the storage as that of the database, after a move; servers may run meanwhile",
    )
    .addArgument(new Argument("<action>").choices(["check", "adopt"]))
    .option("--remove", "check: remove bytes that the database does not know", false)
    .action(async (action: "check" | "adopt", { remove }: { remove: boolean }) => {
      const options = { now: Date.now, randomBytes, print };
      if (action === "adopt") return adoptFiles(readSettings(process.env), options);
      const differences = await checkFiles(readSettings(process.env), {
        ...options,
        isRemoving: remove,
      });
      if (differences > 0) process.exitCode = 1;
    });

  program
    .command("backup")
    .description("write the embedded database to a new file, also while the server runs")
    .argument("<file>", "for example madang.backup")
    .action(async (file: string) => print(await backUpCommand(readSettings(process.env), file)));

  program
    .command("restore")
    .description("verify a backup and replace the embedded database by it; the server must be stopped")
    .argument("<file>")
    .action(async (file: string) => print(await restoreCommand(readSettings(process.env), file, new Date())));

  return program;
}

function print(text: string): void {
  process.stdout.write(text);
}

function readSchemaCount(value: string): number {
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  throw new SettingError(
    "--schemas must be a number from 1 to 99: into how many schemas the channels are divided.",
  );
}

function readWorkers(value: string): number {
  if (/^([1-9]|10)$/.test(value)) return Number(value);
  throw new SettingError(
    "--workers must be a number from 1 to 10: the number of processes that serve requests.",
  );
}

async function migrateDatabase({ status, erase }: { status?: true; erase?: string }): Promise<void> {
  const settings = readSettings(process.env);
  if (erase !== undefined)
    return repeatErasuresCommand(settings, erase, Date.now, (line) => print(`${line}\n`));
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === undefined)
    throw new SettingError(
      "DATABASE_URL is missing. It names the database to migrate; the embedded database is migrated when the server starts.",
    );
  if (status) {
    const { applied, pending } = await readMigrationStatus(DATABASE_URL);
    print(`${applied.length} applied, ${pending.length} pending\n`);
    for (const name of pending) print(`pending ${name}\n`);
    if (pending.length > 0) process.exitCode = 1;
    return;
  }
  const applied = await migrate(DATABASE_URL, { onProgress: (line) => print(`${line}\n`) });
  if (applied.length === 0) print("The database is up to date.\n");
}

async function distributeDatabase({ dryRun, schemas }: { dryRun?: true; schemas: number }): Promise<void> {
  const { DATABASE_URL } = readSettings(process.env);
  if (DATABASE_URL === undefined)
    throw new SettingError("DATABASE_URL is missing. It names the database on the coordinator of Citus.");
  if (dryRun) return print(`${(await planDistribution(DATABASE_URL, schemas)).join("\n")}\n`);
  await distribute(DATABASE_URL, (line) => print(`${line}\n`), schemas);
}
