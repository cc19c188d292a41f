import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { engine, limitOptions, require, requireCommand, run } from "./engine";

const official = "docker.io/library/node:24-bookworm-slim";
const substitute = "localhost/madang-test-base";
const { MADANG_TEST_BASE_IMAGE } = process.env;
const canMake = process.getuid?.() === 0 && spawnSync("debootstrap", ["--version"]).status === 0;

export interface Image {
  readonly name: string;
  /** Whether it stands in for an image that cannot be pulled here. */
  readonly isSubstitute: boolean;
}

/**
 * The base of the Dockerfile: that of `MADANG_TEST_BASE_IMAGE`, or the official one, or, where no registry can be reached,
 * Debian's minimal system from `debootstrap` with the Node that runs this test and the npm of this machine.
 */
export async function findBase(): Promise<Image | undefined> {
  if (engine === undefined) return undefined;
  if (MADANG_TEST_BASE_IMAGE !== undefined) return { name: MADANG_TEST_BASE_IMAGE, isSubstitute: true };
  if ((await run("pull", official)).code === 0) return { name: official, isSubstitute: false };
  if (!canMake) return undefined;
  if ((await run("image", "inspect", substitute)).code !== 0) await makeBase();
  return { name: substitute, isSubstitute: true };
}

async function makeBase(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "madang-base-"));
  const system = join(folder, "system");
  const modules = "/usr/local/lib/node_modules";
  try {
    await requireCommand("debootstrap", [
      "--variant=minbase",
      "--include=ca-certificates",
      "bookworm",
      system,
    ]);
    await rm(join(system, "var/cache/apt/archives"), { recursive: true, force: true });
    await cp(process.execPath, join(system, "usr/local/bin/node"));
    await mkdir(join(system, modules), { recursive: true });
    const npm = await requireCommand("sh", ["-c", 'realpath "$(command -v npm)"']);
    await cp(dirname(dirname(npm)), join(system, modules, "npm"), { recursive: true });
    for (const name of ["npm", "npx"])
      await symlink(`${modules}/npm/bin/${name}-cli.js`, join(system, "usr/local/bin", name));
    await copyAuthorities(system);
    const archive = join(folder, "base.tar");
    await requireCommand("tar", ["-C", system, "-cf", archive, "."]);
    await require("import", archive, substitute);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** This machine may reach the registry of npm only through a proxy with its own certificate authority. */
async function copyAuthorities(system: string): Promise<void> {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  if (NODE_EXTRA_CA_CERTS === undefined) return;
  await cp(NODE_EXTRA_CA_CERTS, join(system, "etc/ssl/certs/ca-certificates.crt"));
  await writeFile(join(system, "root/.npmrc"), "cafile=/etc/ssl/certs/ca-certificates.crt\n");
}

/** An image for the service `postgres` of compose.yaml: the official one, or PostgreSQL from Debian's packages. */
export async function findPostgres(base: Image): Promise<Image> {
  const name = "docker.io/library/postgres:18";
  if ((await run("pull", name)).code === 0) return { name, isSubstitute: false };
  const made = "localhost/madang-test-postgres";
  const folder = await mkdtemp(join(tmpdir(), "madang-postgres-"));
  await writeFile(join(folder, "start.sh"), start, { mode: 0o755 });
  await writeFile(join(folder, "Dockerfile"), dockerfile);
  const from = ["--build-arg", `BASE=${base.name}`];
  await require("build", "--network=host", ...limitOptions, ...from, "--tag", made, folder);
  await rm(folder, { recursive: true });
  return { name: made, isSubstitute: true };
}

const dockerfile = `ARG BASE
FROM \${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/*
RUN rm -rf /var/lib/postgresql/* && ln -s /usr/lib/postgresql/*/bin /opt/postgresql
COPY start.sh /
ENTRYPOINT ["/start.sh"]
`;

/** As the official image does, it creates the role and the database once. */
const start = `#!/bin/sh
set -eu
data=/var/lib/postgresql/data
chown postgres /var/lib/postgresql
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
if [ ! -e $data ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres /tmp/password
  as /opt/postgresql/initdb --pgdata=$data.new --encoding=UTF8 --locale=C --auth=scram-sha-256 --username="$POSTGRES_USER" --pwfile=/tmp/password
  echo "host all all all scram-sha-256" >> $data.new/pg_hba.conf
  echo "CREATE DATABASE $POSTGRES_DB" | as /opt/postgresql/postgres --single -D $data.new postgres
  mv $data.new $data
fi
exec setpriv --reuid postgres --regid postgres --clear-groups /opt/postgresql/postgres -D $data -c listen_addresses='*'
`;
