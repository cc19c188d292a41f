import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditSettings, limits, presenceSettings } from "@madang/contract";
import * as z from "zod";
import { SettingError } from "../errors/service-error";
import { findSimilarName } from "../errors/similar-name";
import { pushContents } from "../modules/push/delivery/payload";
import { isCidr, isLoopback } from "../security/address-rules";
import {
  isOrigin,
  list,
  masterKey,
  oneOf,
  operationNames,
  policy,
  postgresUrl,
  share,
  wholeNumber,
} from "./types";

const secretFile = (setting: string) =>
  z.string().optional().describe(`File that contains ${setting}, instead of that setting.`);

const schema = z.object({
  PORT: wholeNumber(65_535).default(3000).describe("Port to listen on. Default: 3000."),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address to listen on. Default: 127.0.0.1; 0.0.0.0 for every interface."),
  MADANG_SHUTDOWN_DELAY_MS: wholeNumber(600_000, " of milliseconds")
    .default(0)
    .describe("How long to keep serving after SIGTERM, with /readyz at 503, in milliseconds. Default: 0."),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      "PostgreSQL to use, version 15 or later, or embedded. Default: embedded. Required with NODE_ENV=production.",
    ),
  DATABASE_URL_FILE: secretFile("DATABASE_URL"),
  MADANG_POOL_SIZE: wholeNumber(1_000, "", 1)
    .default(20)
    .describe("Max database connections of all worker processes together, to each node. Default: 20."),
  MADANG_STATEMENT_TIMEOUT_MS: wholeNumber(60_000, " of milliseconds", 100)
    .default(3_000)
    .describe("SQL statements that take longer are cancelled, in milliseconds. Default: 3000."),
  MADANG_MASTER_KEY: masterKey
    .optional()
    .describe(
      "Master API key, 16 to 512 visible ASCII characters. Required with DATABASE_URL, otherwise created.",
    ),
  MADANG_MASTER_KEY_FILE: secretFile("MADANG_MASTER_KEY"),
  MADANG_MASTER_KEY_PREVIOUS: masterKey
    .optional()
    .describe("Master API key that is being replaced. It is accepted as well, and sub keys keep working."),
  MADANG_DATA_DIR: z
    .string()
    .default(".madang")
    .describe("Folder of the embedded database and its master key. Default: .madang."),
  MADANG_FILES: z
    .string()
    .regex(/^(off|folder:.+|s3:\/\/[^/].*)$/, "must be folder:PATH, s3://bucket/prefix or off.")
    .optional()
    .describe(
      "Where the files of messages are stored: folder:PATH, s3://bucket/prefix, or off. Default: the folder files beside the embedded database, otherwise off.",
    ),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("For a bucket in MADANG_FILES: the access key. Default: the role of the container."),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe("For a bucket: the secret of the access key."),
  AWS_SESSION_TOKEN: z.string().optional().describe("For a bucket: the token of a temporary access key."),
  // Amazon ECS and EKS set these in containers that have a role. They are no settings of an operator, so they have no description.
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z.string().optional(),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: z.string().optional(),
  AWS_REGION: z.string().optional().describe("For a bucket: its region. Default: us-east-1."),
  AWS_ENDPOINT_URL_S3: z
    .string()
    .optional()
    .describe("For a bucket of another store than Amazon S3: the address of the store."),
  AWS_ENDPOINT_URL: z.string().optional().describe("The same, if AWS_ENDPOINT_URL_S3 is not set."),
  MADANG_FILE_MAX_BYTES: wholeNumber(5_000_000_000, " of bytes", 1)
    .default(100_000_000)
    .describe("Max size of a file, in bytes. Default: 100000000 (100 MB)."),
  MADANG_FILE_USER_BYTES: wholeNumber(1_000_000_000_000, " of bytes", 1)
    .default(1_000_000_000)
    .describe(
      "Max size of all files that a user creates with tokens in a day, in bytes. Default: 1000000000 (1 GB).",
    ),
  MADANG_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an HTTP URL, such as https://chat.example.com." })
    .transform((url) => url.replace(/\/+$/, ""))
    .refine(
      (url) => !/^\/(v1|docs|console)(\/|$)/.test(new URL(url).pathname),
      "must have another path: /v1, /docs and /console are paths of the service itself.",
    )
    .optional()
    .describe(
      "Address at which clients reach the server, with its path if it has one, such as https://example.com/chat. Default: that of each request.",
    ),
  MADANG_KEY_HEADERS: list
    .refine(
      (headers) => headers.every((header) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/i.test(header)),
      "must be a comma-separated list of header names, such as x-api-key,app_api_key.",
    )
    .transform((headers) => headers.map((header) => header.toLowerCase()))
    .refine(
      (headers) => !headers.includes("authorization"),
      "must not contain authorization, which carries Bearer and the key in any case.",
    )
    .default([])
    .describe("Additional headers that may carry the API key, for example x-api-key,app_api_key."),
  MADANG_ORIGINS: list
    .refine(
      (origins) => origins.every(isOrigin),
      "must be a comma-separated list of origins, such as https://app.example.com,http://localhost:5173.",
    )
    .default([])
    .describe(
      "Origins of pages that may call the service from a browser, with tokens of users, for example https://app.example.com. Default: none.",
    ),
  MADANG_PUBLIC_META: list
    .transform((keys) => new Set(keys))
    .default(new Set())
    .describe("Keys of the metadata of users that other users see, for example team,title. Default: none."),
  MADANG_USER_LIST: oneOf(["cursor", "reference"])
    .default("cursor")
    .describe("Form of user lists: cursor (default), or reference for bare arrays without a cursor."),
  MADANG_EVENTS_DAYS: wholeNumber(365, " of days", 1)
    .default(7)
    .describe("How long events are stored, in days. Default: 7."),
  MADANG_RETENTION_DAYS: wholeNumber(limits.retentionDays.max, " of days", limits.retentionDays.min)
    .optional()
    .describe("How long messages are kept, in days; channels can have their own period. Default: forever."),
  MADANG_AUDIT: oneOf(auditSettings)
    .default("changes")
    .describe(
      "What the audit log records: off, changes (of users, keys, webhooks and retention; default), all changes, or reads as well.",
    ),
  MADANG_AUDIT_DAYS: wholeNumber(36_500, " of days", 1)
    .default(730)
    .describe("How long audit entries are stored, in days. Default: 730."),
  MADANG_PRESENCE: oneOf(presenceSettings)
    .default("status")
    .describe(
      "Who is online: off, status (default), or last_seen, which also stores when users were last online.",
    ),
  MADANG_CONSOLE: oneOf(["on", "off"])
    .optional()
    .describe(
      "on or off: whether the console is served at /console. Default: on for the embedded database on a loopback address, otherwise off.",
    ),
  MADANG_RATE_LIMIT: policy
    .optional()
    .describe("Max requests per key over all processes, for example 600/60s. Default: no limit."),
  MADANG_AUTH_FAILURE_LIMIT: policy
    .default({ requests: 60, seconds: 60 })
    .describe("Max wrong keys per client address in each process. Default: 60/60s."),
  MADANG_WEBHOOK_ALLOW: list
    .refine(
      (networks) => networks.every(isCidr),
      "must be a comma-separated list of networks, such as 10.1.0.0/16,fd00::/8.",
    )
    .default([])
    .describe(
      "Private networks that webhooks, hooks and Web Push may reach, also without TLS, for example 10.1.0.0/16. Default: none.",
    ),
  MADANG_PUSH_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/,
      "must be an address that begins with mailto: or https:.",
    )
    .optional()
    .describe(
      "Turns on Web Push: an address, mailto: or https:, at which push services reach the operator. Default: no Web Push.",
    ),
  MADANG_PUSH_DELAY_MS: wholeNumber(600_000, " of milliseconds")
    .default(3_000)
    .describe(
      "How long a message waits before it is pushed; who reads it meanwhile gets no notification. In milliseconds. Default: 3000.",
    ),
  MADANG_PUSH_CONTENT: oneOf(pushContents)
    .default("full")
    .describe("What notifications contain: full (default), sender (no text), or none (only ids)."),
  MADANG_FCM_CREDENTIALS: z
    .string()
    .optional()
    .describe("Turns on Firebase Cloud Messaging: the file of a service account, in JSON. Default: off."),
  MADANG_APNS_KEY: z
    .string()
    .optional()
    .describe("Turns on Apple's push service: the .p8 file of a key. Default: off."),
  MADANG_APNS_KEY_ID: z.string().optional().describe("For Apple's push service: the id of the key."),
  MADANG_APNS_TEAM_ID: z.string().optional().describe("For Apple's push service: the id of the team."),
  MADANG_APNS_TOPIC: z
    .string()
    .optional()
    .describe("For Apple's push service: the bundle id of the app, for devices that name none."),
  MADANG_TRUSTED_PROXIES: wholeNumber(10)
    .default(0)
    .describe("Number of reverse proxies whose X-Forwarded-For is trusted. Default: 0."),
  MADANG_METRICS_PORT: wholeNumber(65_535)
    .optional()
    .describe("Port for Prometheus metrics at /metrics. Default: no metrics."),
  MADANG_METRICS_HOST: z
    .string()
    .optional()
    .describe("Address of the metrics port. Default: the address in HOST."),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: "must be an HTTP URL, such as http://localhost:4318.",
    })
    .optional()
    .describe("Collector for OpenTelemetry traces, by OTLP over HTTP. Default: no traces."),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/json", { error: "must be http/json: the server sends traces in no other way." })
    .optional()
    .describe("How traces are sent. Only http/json is possible."),
  OTEL_TRACES_SAMPLER_ARG: share
    .default(1)
    .describe("Share of the requests without a trace that start one, from 0 to 1. Default: 1."),
  MADANG_SLOW_STATEMENT_MS: wholeNumber(3_600_000, " of milliseconds")
    .default(500)
    .describe("SQL statements that take longer are logged, in milliseconds. Default: 500."),
  MADANG_VALIDATE_RESPONSES: oneOf(["off", "log"])
    .default("off")
    .describe("log: validate every response against the contract and log violations. Default: off."),
  MADANG_LOG_OMIT: operationNames
    .default(new Set())
    .describe("Operations whose successful requests are not logged, for example healthz,readyz,users.list."),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("fatal, error, warn, info, debug, trace or silent. Default: info."),
});

export type Settings = z.infer<typeof schema>;

/** Whether the console is served: by default only to the machine itself, where somebody tries the server. */
export function isConsoleOn({ MADANG_CONSOLE, DATABASE_URL, HOST }: Settings): boolean {
  const isLocal = DATABASE_URL === undefined && isLoopback(HOST);
  return MADANG_CONSOLE === undefined ? isLocal : MADANG_CONSOLE === "on";
}

/** The path of the public address, such as `/chat`. Empty: there is none. */
export const basePathOf = ({ MADANG_PUBLIC_URL: url }: Settings): string =>
  url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");

/** Where files are stored: by default beside the embedded database. */
export function filesSettingOf({ MADANG_FILES, DATABASE_URL, MADANG_DATA_DIR }: Settings): string {
  return MADANG_FILES ?? (DATABASE_URL === undefined ? `folder:${join(MADANG_DATA_DIR, "files")}` : "off");
}

/** Every setting with one line of documentation, which `--help` prints. */
export const settingDescriptions: readonly (readonly [name: string, description: string])[] = Object.entries(
  schema.shape,
).flatMap(([name, { description }]) => (description === undefined ? [] : [[name, description] as const]));

/**
 * Reads and validates the settings of the process. Throws for the first invalid or misspelled one; an empty one counts as
 * absent.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const present = Object.entries(environment).filter(([, value]) => value?.trim() !== "");
  rejectMisspelled(present.map(([name]) => name));
  const result = schema.safeParse(chooseDatabase(readSecretFiles(Object.fromEntries(present))));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new SettingError(`${issue?.path.join()} ${issue?.message}`);
  }
  return result.data;
}

/** The embedded database has no URL. In production it must be asked for: a lost setting must not start an empty one. */
function chooseDatabase(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_URL, ...others } = all;
  if (DATABASE_URL === undefined && all.NODE_ENV === "production")
    throw new SettingError(
      "DATABASE_URL is missing or empty. It is required with NODE_ENV=production. For the embedded database, set DATABASE_URL=embedded.",
    );
  return DATABASE_URL === "embedded" ? others : all;
}

/** Replaces the name of a file by its content, as container platforms mount secrets. */
function readSecretFiles(present: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const all = { ...present };
  for (const name of ["DATABASE_URL", "MADANG_MASTER_KEY"]) {
    const file = present[`${name}_FILE`];
    if (file === undefined) continue;
    if (present[name] !== undefined)
      throw new SettingError(`${name} and ${name}_FILE are both set. Remove one of them.`);
    try {
      all[name] = readFileSync(file, "utf8").trim();
    } catch (error) {
      throw new SettingError(
        `${name}_FILE cannot be read: ${error instanceof Error ? error.message : error}.`,
      );
    }
  }
  return all;
}

/** Other variables may begin with `MADANG_`: those of the SDK, and those that Kubernetes sets for a service of this name. */
function rejectMisspelled(names: readonly string[]): void {
  const known = Object.keys(schema.shape).filter((name) => name.startsWith(prefix));
  const others = names.filter((name) => name.startsWith(prefix) && ![...known, ...ofSdk].includes(name));
  for (const name of others) {
    const similar = findSimilarName(name, known);
    if (similar !== undefined) throw new SettingError(`${name} is not a setting. Did you mean ${similar}?`);
  }
}

const prefix = "MADANG_";
/** They may be set for other programs in the same environment. */
const ofSdk = ["MADANG_API_KEY", "MADANG_URL"];

/** The master key, for a database given by `DATABASE_URL`: there it must be set. */
export function requireMasterKey({ MADANG_MASTER_KEY }: Settings): string {
  if (MADANG_MASTER_KEY === undefined)
    throw new SettingError(
      "MADANG_MASTER_KEY is missing. DATABASE_URL requires it: set the same master key for every process.",
    );
  return MADANG_MASTER_KEY;
}
