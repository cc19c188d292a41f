import { settingDescriptions } from "../settings/settings";

const settings = settingDescriptions.map(([name, description]) => `  ${name}\n      ${description}\n`);

export const help = `madang-server: a chat backend that an application calls server to server.

Usage
  madang-server start
      Starts the server. The database must be migrated.
  madang-server start --migrate
      Applies pending migrations, then starts the server.
  madang-server start --workers 4
      Runs 1 to 10 processes on one port. They share the database connections.
      Each serves its metrics on a port of its own, counted up from MADANG_METRICS_PORT.
  madang-server migrate
      Applies pending migrations, then exits. Servers may run meanwhile.
  madang-server migrate --status
      Prints the pending migrations. Exits with 1 if there are some.
  madang-server erasures
      Prints all erasures of users, one JSON object per line, for a later restore of a backup.
  madang-server migrate --erase FILE
      Applies pending migrations to a restored database, repeats the erasures that FILE lists, and exits when they are done.
      No server may run meanwhile.
  madang-server distribute
      Distributes the channels over the workers of Citus. No server may run meanwhile.
  madang-server distribute --dry-run
      Prints the steps that are left, the sizes of the tables and the time it takes, and changes nothing.
  madang-server webhooks pause
  madang-server webhooks resume
      Pauses the deliveries of a database to its webhooks, or resumes them. A restored database begins paused.
  madang-server audit verify
  madang-server audit verify NUMBER:HASH
      Finds entries of the audit log that were altered, removed or inserted. Prints the end of the log: note it elsewhere,
      and a later run checks that the log still contains it. Exits with 1 if something is wrong.
  madang-server backup FILE
      Writes the embedded database to a new file, also while the server runs.
  madang-server restore FILE
      Verifies a backup and replaces the embedded database by it. The server must be stopped.
  madang-server --help
      Prints this page.
  madang-server --version
      Prints the version.

Settings (environment variables)
${settings.join("")}
Exit codes: 0 stopped as requested, 1 failed, 2 wrong command line or setting.
`;
