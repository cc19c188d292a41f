import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AnyNode, type Identifier, type MemberExpression, type Program, parse } from "acorn";
import { ancestor } from "acorn-walk";

/** The name of a platform in the data of MDN, such as `nodejs` or `safari_ios`, and its oldest version that a package supports. */
export type Platforms = Readonly<Record<string, string>>;

interface Compat {
  readonly support: Readonly<Record<string, Support | readonly Support[]>>;
}
interface Support {
  readonly version_added: string | boolean | null;
  readonly version_removed?: string | boolean;
  readonly flags?: readonly unknown[];
}
/** A built-in object or interface with its members, or one of these. */
interface Entry {
  readonly __compat?: Compat;
  readonly [member: string]: Entry | Compat | undefined;
}

const require = createRequire(import.meta.url);
const { javascript, api } = JSON.parse(readFileSync(require.resolve("@mdn/browser-compat-data"), "utf8"));
const globals: Readonly<Record<string, Entry>> = { ...api, ...javascript.builtins };

/** All that have a member with this name. */
const carriers = new Map<string, Entry[]>();
for (const entry of [...Object.values(globals), ...Object.values<Entry>(javascript.builtins.Intl)])
  for (const name of Object.keys(entry)) {
    const member = memberOf(entry, name);
    if (member !== undefined) carriers.set(name, [...(carriers.get(name) ?? []), member]);
  }

/**
 * The built-ins in a file that one of the platforms does not have, such as `Promise.withResolvers` and `.toSorted`. What the file
 * asks for first (`typeof BroadcastChannel`, `URL.parse?.()`, `globalThis.CloseEvent ?? …`), and members with names that the file itself gives to something,
 * are left out. Throws a `SyntaxError` for newer syntax than `ecmaVersion`.
 */
export function findNewerBuiltIns(text: string, platforms: Platforms, ecmaVersion: 2022 | 2024): string[] {
  const module = parse(text, { ecmaVersion, sourceType: "module", allowHashBang: true });
  const { bound, members, asked } = readNames(module);
  const found = new Set<string>();
  ancestor(module, {
    Identifier(node, _state, ancestors) {
      const isGlobal = node.name === "globalThis";
      const parents = ancestors
        .slice(0, -1)
        .reverse()
        .filter((each) => each.type === "MemberExpression");
      const name = isGlobal && parents[0] ? nameOf(parents[0]) : node.name;
      if (bound.has(node.name) || asked.has(name)) return;
      if (isMissing(globals[name], platforms)) found.add(name);
      const parent = parents[isGlobal ? 1 : 0];
      if (parent === undefined || ownerOf(parent) !== name) return;
      const path = pathOf(parent);
      if (!asked.has(path) && isMissing(memberOf(globals[name], nameOf(parent)), platforms)) found.add(path);
    },
    MemberExpression(node) {
      const name = nameOf(node);
      const owner = ownerOf(node);
      // Looked at above.
      if (owner !== undefined && !bound.has(owner) && (owner in globals || owner === "globalThis")) return;
      if (members.has(name) || asked.has(`.${name}`)) return;
      const all = carriers.get(name) ?? [];
      if (all.length > 0 && all.every((entry) => isMissing(entry, platforms))) found.add(`.${name}`);
    },
  });
  return [...found].sort();
}

/** The names that a file binds, those of members that it defines, and what it asks for before it uses it. */
function readNames(module: Program) {
  const bound = new Set<string>();
  const members = new Set<string>();
  const asked = new Set<string>();
  const define = ({ key }: { key: AnyNode }) => {
    if (key.type === "Identifier") members.add(key.name);
    else if (key.type === "Literal") members.add(String(key.value));
  };
  const ask = (node: AnyNode) => {
    if (node.type === "Identifier") asked.add(node.name);
    if (node.type !== "MemberExpression") return;
    asked.add(pathOf(node)).add(`.${nameOf(node)}`);
    if (ownerOf(node) === "globalThis") asked.add(nameOf(node));
  };
  ancestor(module, {
    VariablePattern: (node: Identifier) => void bound.add(node.name),
    Function: ({ id }: { id?: Identifier | null }) => void (id && bound.add(id.name)),
    Class: ({ id }: { id?: Identifier | null }) => void (id && bound.add(id.name)),
    ImportDeclaration: ({ specifiers }) => {
      for (const { local } of specifiers) bound.add(local.name);
    },
    Property: define,
    PropertyDefinition: define,
    MethodDefinition: define,
    AssignmentExpression: ({ left }) => {
      if (left.type === "MemberExpression") members.add(nameOf(left));
    },
    UnaryExpression: ({ operator, argument }) => operator === "typeof" && ask(argument),
    LogicalExpression: ({ left }) => ask(left),
    CallExpression: ({ optional, callee }) => optional && ask(callee),
  } as Parameters<typeof ancestor>[1]);
  return { bound, members, asked };
}

const nameOf = ({ property, computed }: MemberExpression) =>
  property.type === "Identifier" && !computed ? property.name : "";

const pathOf = (node: MemberExpression) => `${ownerOf(node) ?? ""}.${nameOf(node)}`;

/** `Promise` of `Promise.any`, and of `globalThis.Promise.any`. */
function ownerOf({ object }: MemberExpression): string | undefined {
  if (object.type === "Identifier") return object.name;
  return object.type === "MemberExpression" && ownerOf(object) === "globalThis" ? nameOf(object) : undefined;
}

function memberOf(entry: Entry | undefined, name: string): Entry | undefined {
  if (name === "" || name.startsWith("__")) return undefined;
  const member = entry?.[`${name}_static`] ?? entry?.[name];
  return "__compat" in Object(member) ? (member as Entry) : undefined;
}

function isMissing(entry: Entry | undefined, platforms: Platforms): boolean {
  const support = entry?.__compat?.support;
  if (support === undefined) return false;
  return Object.entries(platforms).some(([platform, version]) => {
    const of = support[platform];
    // A platform that MDN does not list for it, as Node for most of the interfaces of pages.
    if (of === undefined) return false;
    const statements = Array.isArray(of) ? of : [of];
    return !statements.some(
      ({ version_added: added, version_removed: removed, flags }: Support) =>
        flags === undefined &&
        (added === true || (typeof added === "string" && isReached(added, version))) &&
        !(typeof removed === "string" && isReached(removed, version)),
    );
  });
}

/** Whether a feature of the version `added`, such as `≤13.1`, is in `version`. */
function isReached(added: string, version: string): boolean {
  if (added === "preview") return false;
  const [one, other] = [added.replace("≤", ""), version].map((each) => each.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
