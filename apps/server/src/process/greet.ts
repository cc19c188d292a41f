import type { OpenDatabase } from "./open-database";

/** What a person at a terminal wants to know first. The key itself is not shown: terminals are logged. */
export function greet(url: string, { isEmbedded, masterKeyFile }: OpenDatabase): string {
  const key = masterKeyFile === undefined ? "$MADANG_MASTER_KEY" : `$(cat ${masterKeyFile})`;
  return `
  Madang listens on ${url}

  Reference page   ${url}/docs
  Database         ${isEmbedded ? "the embedded PostgreSQL" : "the one of DATABASE_URL"}
  Master key       ${masterKeyFile ?? "the one of MADANG_MASTER_KEY"}

  Try it:
    curl ${url}/v1/users -H "Authorization: Bearer ${key}" \\
      -H "Content-Type: application/json" -d '{"user_id": "kim_01", "name": "Kim"}'

`;
}
