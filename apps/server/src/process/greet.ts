import type { OpenDatabase } from "./open-database";

/** The first output on a terminal. It does not contain the key: terminals are often logged. */
export function greet(
  url: string,
  { isEmbedded, masterKeyFile }: Pick<OpenDatabase, "isEmbedded" | "masterKeyFile">,
  hasConsole: boolean,
): string {
  const key = masterKeyFile === undefined ? "$MADANG_MASTER_KEY" : `$(cat ${masterKeyFile})`;
  return `
  Madang is listening on ${url}

  Reference page   ${url}/docs${hasConsole ? `\n  Console          ${url}/console` : ""}
  Database         ${isEmbedded ? "embedded PostgreSQL" : "DATABASE_URL"}
  Master key       ${masterKeyFile ?? "MADANG_MASTER_KEY"}

  Try it:
    curl ${url}/v1/users -H "Authorization: Bearer ${key}" \\
      -H "Content-Type: application/json" -d '{"user_id": "kim_01", "name": "Kim"}'

`;
}
