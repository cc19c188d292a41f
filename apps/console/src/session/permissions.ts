import type { Session } from "./session";

/** The operations of this page that change nothing: the scope `read` covers them. */
const reads = [
  "users.list",
  "users.get",
  "users.channels",
  "channels.list",
  "channels.get",
  "channels.members.list",
  "channels.managers.list",
  "channels.bans.list",
  "messages.list",
  "messages.get",
  "messages.search",
  "exports.messages",
  "reports.list",
  "events.list",
  "events.queue",
  "usage.daily",
] as const;
const changes = [
  "users.update",
  "users.delete",
  "users.suspend",
  "users.unsuspend",
  "users.meta.merge",
  "users.meta.delete",
  "channels.update",
  "channels.delete",
  "channels.freeze",
  "channels.setRetention",
  "channels.meta.merge",
  "channels.meta.delete",
  "channels.members.leave",
  "channels.members.mute",
  "channels.members.unmute",
  "channels.managers.add",
  "channels.managers.remove",
  "channels.bans.add",
  "channels.bans.remove",
  "messages.send",
  "messages.update",
  "messages.delete",
  "messages.pin",
  "messages.unpin",
  "reports.resolve",
] as const;
/** A sub key needs a scope that names them. */
const named = [
  "messages.searchAll",
  "users.messages",
  "audit.list",
  "privacy.list",
  "privacy.erase",
  "privacy.export",
] as const;
const masterOnly = [
  "webhooks.list",
  "webhooks.get",
  "webhooks.create",
  "webhooks.update",
  "webhooks.delete",
  "webhooks.ping",
  "webhooks.rotate",
  "webhooks.attempts",
  "webhooks.replay",
  "keys.list",
  "keys.create",
  "keys.delete",
] as const;

export const usedOperations = [...reads, ...changes, ...named, ...masterOnly];
export type UsedOperation = (typeof usedOperations)[number];

export const isMasterOnly = (operation: UsedOperation) => includes(masterOnly, operation);

/** Whether the key of the session may call the operation: the rule of the service, so that the page does not offer what fails. */
export function isPermitted({ kind, scopes }: Pick<Session, "kind" | "scopes">, operation: UsedOperation) {
  if (kind === "master") return true;
  if (isMasterOnly(operation)) return false;
  const isNamed = includes(named, operation);
  if (scopes === undefined) return !isNamed;
  return scopes.some((scope) => {
    if (scope === operation) return true;
    if (scope === "read") return includes(reads, operation);
    const isInGroup = scope.endsWith(".*") && operation.startsWith(scope.slice(0, -1));
    return isInGroup && (!isNamed || !["messages.*", "users.*"].includes(scope));
  });
}

function includes(operations: readonly string[], operation: string): boolean {
  return operations.includes(operation);
}
