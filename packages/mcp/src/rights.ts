import type { ChatClient } from "@madang/client";
import { operations } from "./generated/operations";
import type { OperationData } from "./operation";

/** What the key of the agent may do. */
export interface Rights {
  /** The operations that it may call, by their ids. */
  readonly permitted: ReadonlyMap<string, OperationData>;
  /** What the person who started the server should know. */
  readonly warning?: string;
}

/** Asks the service what the key may do. With `readOnly`, only what reads is left. */
export async function readRights(chat: ChatClient, readOnly: boolean): Promise<Rights> {
  const { kind, scopes } = await chat.keys.self();
  const permitted = operations.filter(
    (operation) =>
      (!readOnly || operation.method === "GET") &&
      operation.id !== "keys.self" &&
      (kind === "master" || isPermitted(operation, scopes)),
  );
  const rights = { permitted: new Map(permitted.map((operation) => [operation.id, operation])) };
  if (readOnly || scopes !== undefined) return rights;
  const named = kind === "master" ? "the master key" : "a key without scopes";
  return {
    ...rights,
    warning: `The agent has ${named} and may read and change everything of everybody. Create a narrower one, for example with the scopes "read" and "messages.send".`,
  };
}

function isPermitted({ access, scopes: granting }: OperationData, scopes: readonly string[] | undefined) {
  if (access === "any_scope") return true;
  if (scopes === undefined) return access === "any_key";
  return scopes.some((scope) => granting.includes(scope));
}
