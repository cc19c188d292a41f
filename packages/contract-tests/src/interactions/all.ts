import { type OperationId, operations } from "@madang/contract";
import { operationCases } from "../cases/operation-cases";
import type { Interaction, Interactions } from "../interaction";
import { audit } from "./audit";
import { blocks } from "./blocks";
import { channels } from "./channels";
import { channelsCreate } from "./channels-create";
import { channelsList } from "./channels-list";
import { channelsManagers } from "./channels-managers";
import { channelsMembers } from "./channels-members";
import { devices } from "./devices";
import { events } from "./events";
import { exports } from "./exports";
import { files } from "./files";
import { filters } from "./filters";
import { hooks } from "./hooks";
import { imports } from "./imports";
import { keys } from "./keys";
import { many } from "./many";
import { messages } from "./messages";
import { messagesList } from "./messages-list";
import { messagesOne } from "./messages-one";
import { meta } from "./meta";
import { moderation } from "./moderation";
import { preferences } from "./preferences";
import { presence } from "./presence";
import { privacy } from "./privacy";
import { reactions } from "./reactions";
import { readMarks } from "./read-marks";
import { reports } from "./reports";
import { search } from "./search";
import { signals } from "./signals";
import { streaming } from "./streaming";
import { tokens } from "./tokens";
import { usage } from "./usage";
import { users } from "./users";
import { usersChannels } from "./users-channels";
import { usersList } from "./users-list";
import { usersMessages } from "./users-messages";
import { usersUpsert } from "./users-upsert";
import { webhookDeliveries } from "./webhook-deliveries";
import { webhooks } from "./webhooks";

/** The specific interactions of each operation. An operation without any does not compile. */
const own: Readonly<Record<OperationId, Interactions>> = {
  ...users,
  ...usersUpsert,
  ...blocks,
  ...preferences,
  ...presence,
  ...tokens,
  ...devices,
  ...usersList,
  ...meta,
  ...channels,
  ...channelsList,
  ...channelsCreate,
  ...channelsMembers,
  ...channelsManagers,
  ...messages,
  ...many,
  ...messagesList,
  ...messagesOne,
  ...search,
  ...reactions,
  ...readMarks,
  ...usersChannels,
  ...usersMessages,
  ...events,
  ...exports,
  ...filters,
  ...hooks,
  ...imports,
  ...keys,
  ...webhooks,
  ...webhookDeliveries,
  ...moderation,
  ...reports,
  ...files,
  ...streaming,
  ...signals,
  ...audit,
  ...privacy,
  ...usage,
};

/** Every interaction as a flat list: those that an operation shares with all others, and its own. */
export function listInteractions(): (Interaction & { operation: OperationId; name: string })[] {
  return operations.flatMap((operation) => {
    const cases = { ...operationCases(operation, requireAccepted(operation.id)), ...own[operation.id] };
    return Object.entries(cases).map(([name, interaction]) => ({
      operation: operation.id,
      name,
      ...interaction,
    }));
  });
}

/** The first interaction of the operation. It succeeds. */
export function requireAccepted(operation: OperationId): Interaction {
  const [accepted] = Object.values(own[operation]);
  if (accepted === undefined || accepted.response.status >= 300)
    throw new Error(`The first interaction of ${operation} does not succeed.`);
  return accepted;
}
