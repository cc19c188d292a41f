import { describe, expect, test } from "vitest";
import { readSettings, requireMasterKey } from "./env";

describe("settings", () => {
  test("have the documented defaults", () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3000,
      HOST: "127.0.0.1",
      MADANG_DATA_DIR: ".madang",
      MADANG_KEY_HEADERS: [],
      MADANG_USER_LIST: "cursor",
      LOG_LEVEL: "info",
    });
  });

  test("that are empty count as absent", () => {
    expect(readSettings({ PORT: "", DATABASE_URL: "" })).toMatchObject({ PORT: 3000 });
  });

  test("accept additional key headers in upper or lower case", () => {
    const { MADANG_KEY_HEADERS } = readSettings({ MADANG_KEY_HEADERS: "X-Api-Key, app_api_key," });
    expect(MADANG_KEY_HEADERS).toEqual(["x-api-key", "app_api_key"]);
  });

  test.each([
    ["PORT", "eighty"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_REPLICA_URL", "replica.internal:5432"],
    ["DATABASE_REPLICA_URL", "postgresql://localhost/madang"],
    ["DATABASE_URL", "postgresql://madang:a/b@localhost:5432/madang"],
    ["DATABASE_URL", "postgresql://localhost/madang?sslmode=prefer"],
    ["DATABASE_URL", "postgresql://localhost/madang?sslmode=verify-ca"],
    ["DATABASE_REPLICA_URL", "postgresql://localhost/madang?require_auth=md5"],
    ["MADANG_MASTER_KEY", "too short"],
    ["MADANG_MASTER_KEY_PREVIOUS", "too short"],
    ["MADANG_LOG_OMIT", "healthz,users.lists"],
    ["MADANG_KEY_HEADERS", "x api key"],
    ["MADANG_USER_LIST", "both"],
    ["MADANG_WEBHOOK_ALLOW", "10.1.0.0"],
    ["MADANG_WEBHOOK_ALLOW", "10.1.0.0/16,internal"],
    ["MADANG_AUTH_FAILURE_LIMIT", "60"],
    ["MADANG_VALIDATE_RESPONSES", "yes"],
    ["LOG_LEVEL", "loud"],
  ])("%s=%s is rejected with a message that names the setting", (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  test("require a master key with DATABASE_URL", () => {
    const settings = readSettings({ DATABASE_URL: "postgresql://localhost/madang" });
    expect(() => requireMasterKey(settings)).toThrow(/^MADANG_MASTER_KEY is missing/);
  });
});
