import { channel, contract, memberEntry, ownBlockRule, user, userId } from "@madang/contract";
import type { Row } from "../../data/tables/column";
import type { Kind } from "../../data/tables/tables";

// The contract and Zod are loaded by the commands that import and compare rows, and by no other.

interface ObjectSchema {
  readonly shape: Shape;
}

type Shape = Readonly<Record<string, object>>;

const entry = contract.channels.get.pathParams.extend({ user_id: userId }).strict();
const blockEntry = contract.users.blocks.add.pathParams.strict();
const preferences = contract.channels.members.setPreferences.responses[200].shape.preferences.unwrap();
const { freeze } = contract.channels.freeze.body.shape;
export const newUser = contract.users.create.body;
const newChannel = contract.channels.create.body.omit({ members: true, reuse: true });
/** Its forms are those of the types of messages. */
export const newMessage = contract.imports.messages.body.shape.messages.element;

/** What an import takes back of a row: what its requests have. */
export const requests = {
  users: newUser.extend({ suspended_until: user.shape.suspended_until }),
  channels: newChannel.extend({ freeze: freeze.optional(), retention: channel.shape.retention }),
  members: entry.extend({ muted_until: memberEntry.shape.muted_until }),
  managers: entry,
  bans: entry.extend(contract.channels.bans.add.body.unwrap().shape),
  blocks: blockEntry.refine(({ user_id, blocked_user_id }) => user_id !== blocked_user_id, {
    path: ["blocked_user_id"],
    message: ownBlockRule,
  }),
  preferences: entry
    .extend(preferences.shape)
    .refine(({ hidden, archived, pinned_at }) => [hidden, archived, pinned_at].filter(Boolean).length <= 1, {
      path: ["hidden"],
      message: "Only one of hidden, archived and pinned_at can be set.",
    }),
} satisfies Record<Exclude<Kind, "messages">, ObjectSchema>;

/** The fields of a row that an import has, and the names of the others. */
export interface Taken {
  readonly taken: Row;
  readonly leftOut: readonly string[];
}

export function takeBack(kind: Kind, row: Row): Taken {
  const { shape } = kind === "messages" ? formOf(row.type) : requests[kind];
  const { taken, leftOut } = pick(shape, row);
  if (kind !== "members" && kind !== "managers") return { taken, leftOut };
  // Those of the user are in the file of users.
  return { taken, leftOut: leftOut.filter((name) => !Object.hasOwn(user.shape, name)) };
}

/** The same of a user who is created or updated, such as the sender of a message. */
export const takeUser = (row: Row): Taken => pick(newUser.shape, row);

/** What creates a user or a channel of a row. */
export const bodyOf = (kind: "users" | "channels", row: Row): Row =>
  pick((kind === "users" ? newUser : newChannel).shape, row).taken;

const forms: ReadonlyMap<unknown, ObjectSchema> = new Map(
  newMessage.options.map((form) => [form.shape.type.value, form]),
);

export const isImportedType = (type: string): boolean => forms.has(type);

/** A type that is none is a problem of its row, whatever else it has. */
const formOf = (type: unknown): ObjectSchema => forms.get(type) ?? newMessage.options[0];

function pick(shape: Shape, row: Row, prefix = ""): Taken {
  const leftOut: string[] = [];
  const taken = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(shape, name)) {
      leftOut.push(prefix + name);
      return [];
    }
    const inner = shapeOf(shape[name]);
    if (inner === undefined || typeof value !== "object" || value === null) return [[name, value]];
    const picked = pick(inner, { ...value }, `${prefix}${name}.`);
    leftOut.push(...picked.leftOut);
    return [[name, picked.taken]];
  });
  return { taken: Object.fromEntries(taken), leftOut };
}

/** The fields of an object, which may be optional. Undefined of everything else. */
function shapeOf(schema: object | undefined): Shape | undefined {
  const { shape, type, unwrap } = Object(schema);
  return type === "optional" ? shapeOf(unwrap.call(schema)) : shape;
}
