import { channelId, describeIssue, limits } from "@madang/contract";
import type { Row } from "../../data/tables/column";
import type { Kind } from "../../data/tables/tables";
import { readMessage } from "./read-message";
import { newMessage, requests, takeBack, takeUser } from "./take-back";

/** A schema of the contract, as far as it is used here. */
interface Schema {
  safeParse(
    value: unknown,
    options: { readonly error: typeof describeIssue },
  ): { readonly error?: { readonly issues: readonly Issue[] } | undefined };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Why the service would reject a row, or why it would not mean what it says: a sentence for each broken rule. */
export function findProblems(kind: Kind, row: Row, channelOfFile?: string): string[] {
  const problems =
    kind === "messages"
      ? findProblemsOfMessage(row, channelOfFile)
      : explain(requests[kind], takeBack(kind, row).taken);
  return [...problems, ...findSeconds(row)];
}

/** In milliseconds these are days of 1970, and in seconds the times from 1973 to 2286. */
const seconds = { min: 100_000_000, max: 10_000_000_000 };

function findSeconds(row: Row): string[] {
  return ["created_at", "suspended_until", "muted_until", "until", "quiet_until"]
    .filter((name) => Number(row[name]) >= seconds.min && Number(row[name]) < seconds.max)
    .map((name) => `${name}: ${row[name]} is a time in seconds. It must be in milliseconds.`);
}

/** The rules of the `user_id` of a sender are those of the message, too. */
const profile = requests.users.omit({ user_id: true });

function findProblemsOfMessage(row: Row, channelOfFile: string | undefined): string[] {
  const { channelId: id, message: sent, sender } = readMessage(row, channelOfFile);
  const { user_id, ...others } = sender;
  return [
    ...explain(channelId, id, "channel_id"),
    ...(id === (row.channel_id ?? id) ? [] : [`channel_id is ${JSON.stringify(row.channel_id)}.`]),
    ...explain(newMessage, sent),
    ...(Number(sent.created_at) > Date.now() + maxSkewMs ? ["created_at must not be in the future."] : []),
    ...(row.user === undefined
      ? []
      : explain(profile, takeUser({ name: user_id, ...others }).taken, "user.")),
  ];
}

/** Clocks differ: the service decides about times that are nearly now. */
const maxSkewMs = 3_600_000;

/** The channel of a row may have this many entries of a kind. */
export const maxEntries = { members: limits.membersPerChannel, managers: limits.managersPerChannel };

/** Which rules of a schema a value breaks. `prefix` stands before the path of each field. */
export function explain(schema: Schema, value: unknown, prefix = ""): string[] {
  const { error } = schema.safeParse(value, { error: describeIssue });
  return (error?.issues ?? []).map(({ path, message }) => `${prefix}${path.join(".")}: ${message}`);
}
