import type { Operation } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { problem } from "../problem";

/** Which sub keys may call an operation, for every kind of scope. */
export function scopeCases(operation: Operation, accepted: Interaction): Interactions {
  const cases = scopesFor(operation).map(([name, isAllowed, scopes]) => {
    const { given, request, response } = accepted;
    const interaction = {
      given: { ...given, subKeys: 1, ...(scopes && { scopes }) },
      request: { ...request, key: "sub" },
      response: isAllowed ? response : rejectionOf(operation),
    } as const;
    return [`${isAllowed ? "accepts" : "rejects"} a sub key ${name}`, interaction];
  });
  return Object.fromEntries(cases);
}

type ScopeCase = readonly [name: string, isAllowed: boolean, scopes?: readonly string[]];

function scopesFor({ id, variantOf: own = id, access, route }: Operation): ScopeCase[] {
  // The response of `keys.self` depends on the key.
  if (access === "any_scope") return [];
  const others = own.startsWith("channels.") ? ["users.get", "users.*"] : ["channels.get", "channels.*"];
  const isOpen = access === "any_key";
  const cases: ScopeCase[] = [
    ["without scopes", isOpen],
    withScope("read", isOpen && route.method === "GET"),
    ...others.map((scope) => withScope(scope, false)),
  ];
  if (access === "master_key") return cases;
  const groups = groupsOf(own).map((group) => withScope(group, isOpen || ownGroups.has(group)));
  return [...cases, withScope(own, true), ...groups];
}

const withScope = (scope: string, isAllowed: boolean): ScopeCase => [
  `with the scope ${scope}`,
  isAllowed,
  [scope],
];

/** The groups whose operations a scope must name. Other groups do not contain such operations. */
const ownGroups = new Set(["privacy.*", "audit.*"]);

export const hasOwnGroup = (id: string) => groupsOf(id).some((group) => ownGroups.has(group));

/** The groups of `channels.members.join` are `channels.*` and `channels.members.*`. */
function groupsOf(id: string): string[] {
  const names = id.split(".").slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join(".")}.*`);
}

const rejectionOf = ({ access }: Operation) =>
  access === "master_key" ? problem(403, "master_key_required") : problem(403, "scope_missing");
