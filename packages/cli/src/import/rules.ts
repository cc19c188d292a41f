import {
  channel,
  channelId,
  contract,
  describeIssue,
  limits,
  memberEntry,
  user,
  userId,
} from "@madang/contract";
import type { Kind, Row } from "../data/tables";
import { readMessage } from "./read-message";

// The contract and Zod are loaded by the commands that check rows, and by no other.

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
  readonly code?: string;
  readonly keys?: readonly string[];
}

const entry = contract.channels.get.pathParams.extend({ user_id: userId }).strict();
const { freeze } = contract.channels.freeze.body.shape;

/** What an import sends of a row. */
const requests = {
  users: contract.users.create.body.extend({ suspended_until: user.shape.suspended_until }),
  channels: contract.channels.create.body
    .omit({ members: true, reuse: true })
    .extend({ freeze: freeze.optional(), retention: channel.shape.retention }),
  members: entry.extend({ muted_until: memberEntry.shape.muted_until }),
  managers: entry,
  messages: contract.imports.messages.body.shape.messages.element,
} satisfies Record<Kind, Schema>;

/** The sender of a message. The rules of its `user_id` are those of the message, too. */
const profile = requests.users.omit({ user_id: true });

/** What the service adds to a row when it is exported. An import leaves it out. */
const added: Readonly<Record<Exclude<Kind, "messages">, readonly string[]>> = {
  users: Object.keys(user.shape),
  channels: Object.keys(channel.shape),
  members: Object.keys(memberEntry.shape),
  managers: Object.keys(memberEntry.shape),
};

/** Why the service would reject a row, or why it would not mean what it says: a sentence for each broken rule. */
export function findProblems(kind: Kind, row: Row, channelOfFile?: string): string[] {
  const problems =
    kind === "messages"
      ? findProblemsOfMessage(row, channelOfFile)
      : explain(requests[kind], withoutAdded(kind, row));
  return [...problems, ...findSeconds(row)];
}

/** In milliseconds these are days of 1970, and in seconds the times from 1973 to 2286. */
const seconds = { min: 100_000_000, max: 10_000_000_000 };

function findSeconds(row: Row): string[] {
  return ["created_at", "suspended_until", "muted_until"]
    .filter((name) => Number(row[name]) >= seconds.min && Number(row[name]) < seconds.max)
    .map((name) => `${name}: ${row[name]} is a time in seconds. It must be in milliseconds.`);
}

function withoutAdded(kind: Exclude<Kind, "messages">, row: Row): Row {
  const sent: readonly string[] = Object.keys(requests[kind].shape);
  const isSent = (name: string) => sent.includes(name) || !added[kind].includes(name);
  return Object.fromEntries(Object.entries(row).filter(([name]) => isSent(name)));
}

function findProblemsOfMessage(row: Row, channelOfFile: string | undefined): string[] {
  const { channelId: id, message: sent, sender } = readMessage(row, channelOfFile);
  const { user_id, ...others } = sender;
  return [
    ...explain(channelId, id, "channel_id"),
    ...(id === (row.channel_id ?? id) ? [] : [`channel_id is ${JSON.stringify(row.channel_id)}.`]),
    ...explain(requests.messages, sent),
    ...(Number(sent.created_at) > Date.now() + maxSkewMs ? ["created_at must not be in the future."] : []),
    ...(row.user === undefined
      ? []
      : explain(profile, withoutAdded("users", { name: user_id, ...others }), "user.")),
  ];
}

/** Clocks differ: the service decides about times that are nearly now. */
const maxSkewMs = 3_600_000;

/** The channel of a row may have this many entries of a kind. */
export const maxEntries = { members: limits.membersPerChannel, managers: limits.managersPerChannel };

/** `prefix` stands before the path of each field. */
function explain(schema: Schema, value: unknown, prefix = ""): string[] {
  const { error } = schema.safeParse(value, { error: describeIssue });
  return (error?.issues ?? []).flatMap(({ path, message, code, keys = [] }) =>
    code === "unrecognized_keys"
      ? keys.map((key) => `${prefix}${[...path, key].join(".")}: This field is unknown.`)
      : `${prefix}${path.join(".")}: ${message}`,
  );
}
