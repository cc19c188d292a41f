import * as z from "zod";
import { parsePolicy } from "./rate-limits/policy";

/** A setting that is missing or wrong: one sentence for the operator, who needs no stack. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

const name = (rule: string) => ({ error: rule });

const wholeNumber = (setting: string, rule: string, max: number) => {
  const sentence = `${setting} must be ${rule}.`;
  return z.coerce.number(name(sentence)).int(sentence).min(0, sentence).max(max, sentence);
};

const policy = (setting: string) =>
  z.string().transform((text, context) => {
    const parsed = parsePolicy(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: "custom",
      message: `${setting} must have the form 600/60s: requests in seconds.`,
    });
    return z.NEVER;
  });

const address = (setting: string) =>
  z
    .string()
    .regex(
      /^postgres(ql)?:\/\//,
      `${setting} must be the address of a PostgreSQL: postgresql://user:password@host:5432/name.`,
    );

const schema = z.object({
  PORT: wholeNumber("PORT", "a number from 0 to 65535", 65_535).default(3000),
  HOST: z
    .string()
    .min(1, "HOST must name an address to listen on, such as 127.0.0.1 or 0.0.0.0.")
    .default("127.0.0.1"),
  DATABASE_URL: address("DATABASE_URL").optional(),
  DATABASE_REPLICA_URL: address("DATABASE_REPLICA_URL").optional(),
  MADANG_MASTER_KEY: z
    .string()
    .regex(
      /^[\x21-\x7e]{16,512}$/,
      "MADANG_MASTER_KEY must have 16 to 512 visible ASCII characters and no spaces.",
    )
    .optional(),
  MADANG_DATA_DIR: z.string().min(1, "MADANG_DATA_DIR must name a folder.").default(".madang"),
  MADANG_KEY_HEADERS: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((header) => header.trim().toLowerCase()))
    .transform((list) => list.filter((header) => header !== ""))
    .refine(
      (list) => list.every((header) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(header)),
      "MADANG_KEY_HEADERS must be a list of header names with commas between, such as x-api-key,app_api_key.",
    ),
  MADANG_USER_LIST: z
    .enum(["cursor", "reference"], name("MADANG_USER_LIST must be cursor or reference."))
    .default("cursor"),
  MADANG_RATE_LIMIT: policy("MADANG_RATE_LIMIT").optional(),
  MADANG_KEY_GUESSES: policy("MADANG_KEY_GUESSES").default({ requests: 60, seconds: 60 }),
  MADANG_TRUSTED_PROXIES: wholeNumber("MADANG_TRUSTED_PROXIES", "a number from 0 to 10", 10).default(0),
  MADANG_METRICS_PORT: wholeNumber("MADANG_METRICS_PORT", "a number from 0 to 65535", 65_535).optional(),
  MADANG_SLOW_STATEMENT_MS: wholeNumber(
    "MADANG_SLOW_STATEMENT_MS",
    "a number of milliseconds",
    3_600_000,
  ).default(500),
  MADANG_CHECK_ANSWERS: z
    .enum(["off", "log"], name("MADANG_CHECK_ANSWERS must be off or log."))
    .default("off"),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      name("LOG_LEVEL must be one of fatal, error, warn, info, debug, trace and silent."),
    )
    .default("info"),
});

export type Settings = z.infer<typeof schema>;

/** The settings of the process, each checked; the first that is wrong ends it. An empty one counts as absent. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const present = Object.entries(environment).filter(([, value]) => value !== "");
  const result = schema.safeParse(Object.fromEntries(present));
  if (!result.success) throw new SettingError(result.error.issues[0]?.message ?? "The settings are wrong.");
  const { DATABASE_URL, DATABASE_REPLICA_URL } = result.data;
  if (DATABASE_REPLICA_URL !== undefined && DATABASE_URL === undefined)
    throw new SettingError(
      "DATABASE_REPLICA_URL is set without DATABASE_URL: a replica is one of a database of your own. Set both.",
    );
  return result.data;
}

/** The master key, where the settings alone must hold it: with a database of one's own. */
export function requireMasterKey({ MADANG_MASTER_KEY }: Settings): string {
  if (MADANG_MASTER_KEY === undefined)
    throw new SettingError(
      "MADANG_MASTER_KEY is missing: with DATABASE_URL the master key must be set, the same for every process.",
    );
  return MADANG_MASTER_KEY;
}
