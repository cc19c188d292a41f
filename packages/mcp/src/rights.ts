import type { CallingKey, ChatClient } from "@madang/client";
import { operations } from "./generated/operations";
import type { OperationData } from "./operation";

/** What the key of the agent may do. */
export interface Rights {
  /** The operations that it may call, by their ids. */
  readonly permitted: ReadonlyMap<string, OperationData>;
  /** The user as whom the agent acts. Absent: it may act as any user. */
  readonly userId?: string;
  /** What the person who started the server should know. */
  readonly warning?: string;
}

/** Asks the service what the key may do. With `readOnly`, only what reads is left. */
export async function readRights(chat: ChatClient, readOnly: boolean): Promise<Rights> {
  const key = await chat.keys.self();
  const permitted = operations.filter(
    (operation) => (!readOnly || operation.method === "GET") && isPermitted(operation, key),
  );
  const byId = new Map(permitted.map((operation) => [operation.id, operation]));
  if (key.user_id !== undefined) return { permitted: byId, userId: key.user_id };
  const warning = describeDanger(byId, key);
  return { permitted: byId, ...(warning !== undefined && { warning }) };
}

/** As the service decides, except for what depends on the channel or the message. */
function isPermitted(
  { access, scopes: granting, user }: OperationData,
  { kind, scopes, user_id }: CallingKey,
): boolean {
  if (kind === "master") return true;
  if (user_id !== undefined && user === "no") return false;
  if (access === "any_scope") return true;
  if (scopes === undefined) return access === "any_key";
  return scopes.some((scope) => granting.includes(scope));
}

/** What a text that the agent reads could make it do. */
function describeDanger(permitted: Rights["permitted"], { kind, scopes }: CallingKey): string | undefined {
  const dangers = [
    ...(permitted.has("messages.list") ? ["read every channel"] : []),
    ...(permitted.has("messages.send") ? ["write as any user"] : []),
    ...(permitted.has("messages.delete") ? ["delete every message"] : []),
  ];
  if (dangers.length === 0) return undefined;
  const named = kind === "master" ? "the master key" : `a key ${scopes ? "with scopes" : "without scopes"}`;
  const [last, ...others] = dangers.toReversed();
  const list = others.length > 0 ? `${others.toReversed().join(", ")} and ${last}` : last;
  return `The agent has ${named} and may ${list}. A key of a user may do only what that user may: madang keys create --user-id <id>.`;
}
