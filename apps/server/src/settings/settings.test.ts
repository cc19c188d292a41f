import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isConsoleOn, readSettings, requireMasterKey } from "./settings";

describe("settings", () => {
  test("have the defaults that docs/settings.md shows", async () => {
    const page = await readFile(new URL("../../../../docs/settings.md", import.meta.url), "utf8");
    const shown = Object.fromEntries(
      [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) ?\|/gm)].map(([, name, value]) => [name, value]),
    );
    const defaults = Object.entries(readSettings({})).flatMap(([name, value]) =>
      typeof value === "object" ? [] : [[name, `\`${value}\``]],
    );
    expect(defaults.length).toBeGreaterThan(10);
    expect(shown).toMatchObject(Object.fromEntries(defaults));
  });

  test("that are empty count as absent", () => {
    for (const empty of ["", " "])
      expect(readSettings({ PORT: empty, DATABASE_URL: empty })).toMatchObject({ PORT: 3000 });
  });

  test.each([{}, { DATABASE_URL: "" }])("in production, %j starts no embedded database", (environment) => {
    expect(() => readSettings({ ...environment, NODE_ENV: "production" })).toThrow(
      "For the embedded database, set DATABASE_URL=embedded.",
    );
  });

  test("name the embedded database in production", () => {
    const environment = { DATABASE_URL: "embedded", NODE_ENV: "production" };
    expect(readSettings(environment).DATABASE_URL).toBeUndefined();
  });

  test("accept every operation that the log names", () => {
    const names = [
      "users.list",
      "events.stream",
      "files.upload",
      "files.download",
      "console.assets",
      "healthz",
    ];
    expect([...readSettings({ MADANG_LOG_OMIT: names.join() }).MADANG_LOG_OMIT]).toEqual(names);
  });

  test("accept additional key headers in upper or lower case", () => {
    const { MADANG_KEY_HEADERS } = readSettings({ MADANG_KEY_HEADERS: "X-Api-Key, app_api_key," });
    expect(MADANG_KEY_HEADERS).toEqual(["x-api-key", "app_api_key"]);
  });

  test.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, true],
    [{ HOST: "localhost" }, true],
    [{ HOST: "::1" }, true],
    [{ HOST: "0.0.0.0" }, false],
    [{ HOST: "::" }, false],
    [{ HOST: "10.0.0.5" }, false],
    [{ DATABASE_URL: "postgresql://localhost/madang" }, false],
    [{ DATABASE_URL: "embedded", NODE_ENV: "production" }, true],
    [{ DATABASE_URL: "postgresql://localhost/madang", HOST: "0.0.0.0", MADANG_CONSOLE: "on" }, true],
    [{ MADANG_CONSOLE: "off" }, false],
  ])("%j serve the console: %s", (environment, expected) => {
    expect(isConsoleOn(readSettings(environment))).toBe(expected);
  });

  test.each([
    ["MADANG_CONSOLE", "yes"],
    ["PORT", "eighty"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_URL", "primary.internal:5432"],
    ["DATABASE_URL", "postgresql://madang:a/b@localhost:5432/madang"],
    ["DATABASE_URL", "postgresql://madang:50%off@localhost:5432/madang"],
    ["DATABASE_URL", "postgresql://madang:a@localhost:5432/50%off"],
    ["DATABASE_URL", "postgresql://localhost/madang?sslmode=prefer"],
    ["DATABASE_URL", "postgresql://localhost/madang?sslmode=verify-ca"],
    ["DATABASE_URL", "postgresql://localhost/madang?require_auth=md5"],
    ["MADANG_MASTER_KEY", "too short"],
    ["MADANG_MASTER_KEY_PREVIOUS", "too short"],
    ["MADANG_LOG_OMIT", "healthz,users.lists"],
    ["MADANG_KEY_HEADERS", "x api key"],
    ["MADANG_KEY_HEADERS", "x-api-key,Authorization"],
    ["MADANG_FILES", "s3:///bucket"],
    ["MADANG_USER_LIST", "both"],
    ["MADANG_WEBHOOK_ALLOW", "10.1.0.0"],
    ["MADANG_WEBHOOK_ALLOW", "10.1.0.0/16,internal"],
    ["MADANG_AUTH_FAILURE_LIMIT", "60"],
    ["MADANG_VALIDATE_RESPONSES", "yes"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["LOG_LEVEL", "loud"],
  ])("%s=%s is rejected with a message that names the setting", (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  test.each([
    ["DATABASE_URL", "postgresql://localhost/madang?sslmod=verify-full", "sslmode"],
    ["DATABASE_URL", "postgresql://localhost/madang?ssl_mode=verify-full", "sslmode"],
    ["DATABASE_URL", "postgresql://localhost/madang?sslmode=require&sslrootcrt=ca.pem", "sslrootcert"],
    ["MADANG_POOLSIZE", "5", "MADANG_POOL_SIZE"],
    ["MADANG_STATEMENT_TIMEOUT", "5000", "MADANG_STATEMENT_TIMEOUT_MS"],
  ])("%s=%s is rejected, and the message names what is meant", (name, value, meant) => {
    const sentence = new RegExp(`^${name} .*\\. Did you mean ${meant}\\?$`);
    expect(() => readSettings({ [name]: value })).toThrow(sentence);
  });

  test("reject parameters of the database URL that have no effect", () => {
    const url = "postgresql://localhost/madang?connect_timeout=10";
    expect(() => readSettings({ DATABASE_URL: url })).toThrow(
      /^DATABASE_URL has the unknown parameter connect_timeout\. Known are sslmode, /,
    );
  });

  test("accept the documented parameters of the database URL", () => {
    const tls = "sslmode=verify-full&sslrootcert=ca.pem&sslcert=cert.pem&sslkey=key.pem";
    const other = "require_auth=scram-sha-256&host=%2Ftmp&port=5433&user=a&password=b&application_name=chat";
    const url = `postgresql://localhost/madang?${tls}&${other}`;
    expect(readSettings({ DATABASE_URL: url })).toMatchObject({ DATABASE_URL: url });
  });

  test.each([
    ["MADANG_URL", "http://127.0.0.1:3000"],
    ["MADANG_API_KEY", "mk_0123456789abcdef"],
    ["MADANG_SERVICE_HOST", "10.0.0.1"],
    ["MADANG_SERVICE_PORT", "3000"],
    ["MADANG_PORT", "tcp://10.0.0.1:3000"],
  ])("%s belongs to the SDK or to Kubernetes and is ignored", (name, value) => {
    expect(() => readSettings({ [name]: value })).not.toThrow();
  });

  test("read secrets from files, without the newline at the end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "madang-secrets-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = { url: join(folder, "url"), key: join(folder, "key") };
    await writeFile(files.url, "postgresql://localhost/madang\n");
    await writeFile(files.key, "mk_0123456789abcdef\n");
    const settings = { DATABASE_URL_FILE: files.url, MADANG_MASTER_KEY_FILE: files.key };
    expect(readSettings(settings)).toMatchObject({
      DATABASE_URL: "postgresql://localhost/madang",
      MADANG_MASTER_KEY: "mk_0123456789abcdef",
    });
    expect(() => readSettings({ ...settings, MADANG_MASTER_KEY: "mk_0123456789abcdef" })).toThrow(
      "MADANG_MASTER_KEY and MADANG_MASTER_KEY_FILE are both set.",
    );
    expect(() => readSettings({ DATABASE_URL_FILE: "/no/file" })).toThrow(
      /^DATABASE_URL_FILE cannot be read: /,
    );
  });

  test("accept several hosts, as libpq does, if they say which one is meant", () => {
    const url = "postgresql://madang:a@one,two:5433,[::1]:5434/madang";
    expect(readSettings({ DATABASE_URL: `${url}?target_session_attrs=read-write` })).toMatchObject({
      DATABASE_URL:
        "postgresql://madang:a@one/madang?target_session_attrs=read-write&host=one,two,[::1]&port=5432,5433,5434",
    });
    expect(() => readSettings({ DATABASE_URL: url })).toThrow(/^DATABASE_URL names several hosts\. Add /);
    expect(() => readSettings({ DATABASE_URL: `${url}?target_session_attrs=any` })).toThrow(
      "It must be read-write or primary.",
    );
  });

  test("require a master key with DATABASE_URL", () => {
    const settings = readSettings({ DATABASE_URL: "postgresql://localhost/madang" });
    expect(() => requireMasterKey(settings)).toThrow(/^MADANG_MASTER_KEY is missing/);
  });
});
