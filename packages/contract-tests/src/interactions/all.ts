import type { OperationId } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { channels } from "./channels";
import { createChannel } from "./create-channel";
import { exports } from "./exports";
import { keys } from "./keys";
import { managers } from "./managers";
import { members } from "./members";
import { messages } from "./messages";
import { userMeta } from "./user-meta";
import { users } from "./users";

/** Every interaction, by its operation and by what it guarantees. An operation without one does not compile. */
export const interactions = {
  ...users,
  ...userMeta,
  ...channels,
  ...createChannel,
  ...members,
  ...managers,
  ...messages,
  ...exports,
  ...keys,
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
