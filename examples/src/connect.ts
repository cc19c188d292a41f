import { existsSync, readFileSync } from "node:fs";
import { ChatClient } from "@madang/client";

/** The service of MADANG_URL with the key of MADANG_API_KEY; without them, the one that `npm start` serves here. */
export function connect(): ChatClient {
  const keyFile = ".madang/master-key";
  const apiKey =
    process.env.MADANG_API_KEY ?? (existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : undefined);
  if (apiKey === undefined) throw new Error(`Set MADANG_API_KEY, or run this where ${keyFile} is.`);
  return new ChatClient({ baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000", apiKey });
}
