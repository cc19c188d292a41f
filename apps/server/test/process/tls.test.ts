import { execFileSync, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findIdentity } from "../../src/db/embedded/identity";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrations/migrate";
import { startProcess } from "../faults/process";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { runProgram } from "../support/program";
import { queryOnce } from "../support/query-once";
import { masterKey } from "../support/server";

// Certificates come from openssl. On Windows the embedded PostgreSQL has no Unix socket, only TCP, as here.
const canRun = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!canRun)("TLS to PostgreSQL", () => {
  let folder: PostgresFolder;
  let postgres: EmbeddedPostgres;
  let ca: string;
  let otherCa: string;
  beforeAll(async () => {
    folder = await createPostgresFolder();
    ca = createAuthority("ca");
    otherCa = createAuthority("other-ca");
    const flags = createCertificate("server", "localhost");
    postgres = await startEmbeddedPostgres(join(folder.path, "postgres"), flags, "win32");
    await migrate(postgres.url);
    const { data } = await prepareInstallation(join(folder.path, "postgres"));
    await writeFile(join(data, "pg_hba.conf"), "hostssl all all all scram-sha-256\n");
    await queryOnce(postgres.url, "SELECT pg_reload_conf()");
  });
  afterAll(async () => {
    await postgres.stop();
    await folder.remove();
  });

  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder.path, stdio: "pipe" });

  function createAuthority(name: string): string {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`, ...files);
    return join(folder.path, `${name}.pem`);
  }

  /** Signed by `ca`. Returns the options of `postgres` for it. */
  function createCertificate(name: string, host: string): string[] {
    const [key, certificate] = [join(folder.path, `${name}.key`), join(folder.path, `${name}.pem`)];
    openssl(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      "request",
      "-subj",
      `/CN=${host}`,
    );
    execFileSync("sh", ["-c", `echo subjectAltName=DNS:${host} > names`], { cwd: folder.path });
    const signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    openssl("x509", "-req", "-days", "2", "-in", "request", "-out", certificate, ...signer);
    // PostgreSQL reads only a key of its own user.
    const { uid, gid } = findIdentity();
    if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
    const settings = ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
    return settings.flatMap((setting) => ["-c", setting]);
  }

  test("the deployment guide has the parameters that are tested here", async () => {
    const guide = new URL("../../../../docs/guides/deploying.md", import.meta.url);
    const [, query = ""] = /DATABASE_URL="[^"]+\?([^"]+)"/.exec(await readFile(guide, "utf8")) ?? [];
    expect([...new URLSearchParams(query).keys()]).toEqual(["sslmode", "sslrootcert"]);
    expect(query).toContain("sslmode=verify-full");
  });

  function urlOf(host: string, parameters: Record<string, string>): string {
    const url = new URL(postgres.url);
    url.hostname = host;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  }

  test.each([
    ["require, without a CA", "127.0.0.1", { sslmode: "require" }, undefined],
    ["verify-ca, whatever the host is called", "127.0.0.1", { sslmode: "verify-ca" }, () => ca],
    ["verify-full", "localhost", { sslmode: "verify-full" }, () => ca],
    [
      "verify-full with SCRAM",
      "localhost",
      { sslmode: "verify-full", require_auth: "scram-sha-256" },
      () => ca,
    ],
  ])(
    "sslmode=%s: every connection is encrypted, and nothing is warned about",
    async (_mode, host, parameters, root) => {
      const url = urlOf(host, { ...parameters, ...(root && { sslrootcert: root() }) });
      const server = await startProcess(url, { LOG_LEVEL: "info" });
      const headers = { authorization: `Bearer ${masterKey}` };
      expect((await fetch(`${server.url}/v1/users`, { headers })).status).toBe(200);
      const rows = await queryOnce(
        urlOf("localhost", { sslmode: "no-verify" }),
        "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'madang%'",
      );
      expect(rows).toEqual([{ ssl: true }]);
      await server.end("SIGTERM");
      expect(server.output()).not.toMatch(/warning/i);
    },
  );

  test.each([
    ["no TLS", "localhost", {}, undefined, "does not use TLS"],
    ["disable", "localhost", { sslmode: "disable" }, undefined, "does not use TLS"],
    ["verify-full without the CA", "localhost", { sslmode: "verify-full" }, undefined, "Set sslrootcert"],
    [
      "verify-ca with another CA",
      "localhost",
      { sslmode: "verify-ca" },
      () => otherCa,
      "/other-ca.pem (sslrootcert)",
    ],
    [
      "verify-full for another host",
      "127.0.0.1",
      { sslmode: "verify-full" },
      () => ca,
      "is for another host",
    ],
    ["a CA that does not exist", "localhost", { sslmode: "require" }, () => "/no/ca.pem", "/no/ca.pem"],
  ])(
    "sslmode=%s ends the process with a message that names DATABASE_URL",
    async (_mode, host, parameters, root, part) => {
      const url = urlOf(host, { ...parameters, ...(root && { sslrootcert: root() }) });
      const settings = { DATABASE_URL: url, MADANG_MASTER_KEY: masterKey };
      const { code, output } = await runProgram(["start"], settings).ended;
      expect(output).toMatch(/^madang-server: DATABASE_URL .*\.\n$/);
      expect(output).toContain(part);
      // Node's advice is for those who start Node.
      expect(output).not.toContain("--use-system-ca");
      expect(output).not.toContain(new URL(url).password);
      expect(code).toBe(2);
    },
  );
});
