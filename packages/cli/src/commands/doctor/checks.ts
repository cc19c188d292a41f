import type { ChatClient } from "@madang/client";
import { version } from "../../../package.json";
import { type ExitCode, exitCodes } from "../../terminal/exit-codes";
import { toPlainText } from "../../terminal/output/plain-text";

/** What was found out. A failure has an exit code and advice. */
export interface Check {
  readonly check: "server" | "key" | "version" | "clock" | "latency";
  readonly detail: string;
  readonly advice?: string;
  readonly exitCode?: ExitCode;
}

/** The response to a request, with the times of this machine. */
export interface Exchange {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly headers: { get(name: string): string | null };
}

const maxSkewMs = 2_000;
const slowMs = 500;

export function checkVersion({ headers }: Exchange): Check {
  const server = headers.get("madang-version");
  const detail = `server ${toPlainText(server ?? "unknown")}, command ${version}`;
  // Before 1.0.0 a minor version may change anything.
  const isSame = server?.split(".").slice(0, 2).join(".") === version.split(".").slice(0, 2).join(".");
  if (isSame) return { check: "version", detail };
  return {
    check: "version",
    detail,
    advice: "Install the version of the command that belongs to the server.",
    exitCode: exitCodes.failed,
  };
}

/** The server's clock has seconds, and showed its time between sending and receiving. */
export function checkClock({ sentAt, receivedAt, headers }: Exchange): Check {
  const serverTime = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(serverTime)) return { check: "clock", detail: "the server sends no time" };
  const skewMs = Math.round(serverTime + 500 - (sentAt + receivedAt) / 2);
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  if (Math.abs(skewMs) <= maxSkewMs + (receivedAt - sentAt) / 2)
    return { check: "clock", detail: "agrees with the server's to two seconds" };
  return {
    check: "clock",
    detail: `${seconds} s ${skewMs < 0 ? "ahead of" : "behind"} the server's`,
    advice: "Synchronise both clocks (NTP): imported times and webhook signatures depend on them.",
    exitCode: exitCodes.failed,
  };
}

export async function checkLatency(
  chat: ChatClient,
  limits: { readonly signal: AbortSignal },
  exchanges: Exchange[],
): Promise<Check> {
  const before = exchanges.length;
  for (let index = 0; index < 5; index++) await chat.request("users.list", { query: { limit: 5 } }, limits);
  const times = exchanges
    .slice(before)
    .map(({ sentAt, receivedAt }) => receivedAt - sentAt)
    .toSorted((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const detail = `${Math.round(median)} ms, the median of ${times.length} requests`;
  if (median <= slowMs) return { check: "latency", detail };
  return {
    check: "latency",
    detail,
    advice: "Run the command nearer to the server, or look at the server's load.",
    exitCode: exitCodes.failed,
  };
}
