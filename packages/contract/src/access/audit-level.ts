import type { contract } from "../contract";
import { type Operation, operations } from "../operation-list";
import type { OperationMetadata } from "../operation-metadata";
import { eventStreamOperation } from "../operations/events/event-stream";
import { scopeOf } from "./scopes";

/** The values of `MADANG_AUDIT`. Each records what the ones before it record. */
export const auditSettings = ["off", "changes", "all", "reads"] as const;
export type AuditSetting = (typeof auditSettings)[number];

/** The operations that entries can have: those of the contract, and signing in to the console and out of it. */
export const auditedOperations: readonly string[] = [
  ...new Set([...operations, eventStreamOperation].map(scopeOf)),
  "console.signIn",
  "console.signOut",
];

/**
 * From which setting on the changes of a resource are recorded. A resource without an entry does not compile; a new
 * operation has the level of its resource. Reads are recorded from `reads` on.
 */
const levels: Readonly<Record<string, "changes" | "all">> = {
  users: "changes",
  keys: "changes",
  webhooks: "changes",
  filters: "changes",
  hooks: "changes",
  privacy: "changes",
  audit: "changes",
  usage: "changes",
  channels: "all",
  messages: "all",
  events: "all",
  exports: "all",
  imports: "all",
  reports: "all",
  files: "all",
  signals: "all",
  push: "all",
  presence: "all",
} satisfies Record<keyof typeof contract, "changes" | "all">;

/** Whether an operation is recorded with a setting. */
export function isAudited(setting: AuditSetting, operation: Parameters<typeof auditLevelOf>[0]): boolean {
  const level = auditLevelOf(operation);
  return level !== "never" && auditSettings.indexOf(setting) >= auditSettings.indexOf(level);
}

/** From which setting on an operation is recorded. */
export function auditLevelOf({
  id,
  route,
  auditedFrom,
}: Pick<OperationMetadata, "auditedFrom"> & {
  readonly id: string;
  readonly route: Pick<Operation["route"], "method">;
}): Exclude<AuditSetting, "off"> | "never" {
  if (route.method === "GET") return "reads";
  const [resource = ""] = id.split(".");
  const level = auditedFrom ?? levels[resource];
  if (level === undefined) throw new Error(`The operation ${id} has no resource.`);
  return level;
}
