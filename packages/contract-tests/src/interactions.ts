import type { OperationId } from "@madang/contract";
import { channels } from "./channels";
import { exports } from "./exports";
import { extensions } from "./extensions";
import type { Interaction, Interactions } from "./interaction";
import { keys } from "./keys";
import { managers } from "./managers";
import { members } from "./members";
import { users } from "./users";

/** Every interaction, by its operation and by what it guarantees. */
export const interactions = {
  ...users,
  ...channels,
  ...members,
  ...managers,
  ...exports,
  ...keys,
  ...extensions,
} satisfies Record<OperationId, Interactions>;

/** The same as a flat list. */
export function listInteractions(): (Interaction & { operation: OperationId; name: string })[] {
  return Object.entries(interactions).flatMap(([operation, named]) =>
    Object.entries(named as Interactions).map(([name, interaction]) => ({
      // Object.entries forgets which keys there are.
      operation: operation as OperationId,
      name,
      ...interaction,
    })),
  );
}

/** An interaction that the operation accepts. */
export function requireAccepted(operation: OperationId): Interaction {
  const named: Interactions = interactions[operation];
  const accepted = Object.values(named).find(({ response }) => response.status < 300);
  if (accepted === undefined) throw new Error(`No interaction of ${operation} is accepted.`);
  return accepted;
}
