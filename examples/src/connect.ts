import { existsSync, readFileSync } from "node:fs";
import { ChatClient } from "@madang/client";

/** A client for MADANG_URL and MADANG_API_KEY. Without them: for the server that `npm start` runs in this folder. */
export function connect(): ChatClient {
  const keyFile = ".madang/master-key";
  const apiKey =
    process.env.MADANG_API_KEY ?? (existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : undefined);
  if (apiKey === undefined)
    throw new Error(`Set MADANG_API_KEY, or run this in the folder that contains ${keyFile}.`);
  return new ChatClient({ baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000", apiKey });
}
