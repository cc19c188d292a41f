import type { UrlOf } from "../../chat/attachments";
import { formatMessageId } from "../../chat/message-id";
import { presentMessageRow } from "../../chat/messages/present";
import { presentUser } from "../../chat/users/present";
import type { ErasureRow } from "./columns";
import type {
  PersonalBan,
  PersonalFile,
  PersonalMembership,
  PersonalMention,
  PersonalMessage,
  PersonalMute,
  PersonalReaction,
  PersonRow,
} from "./export-store";

export function presentErasure(erasure: ErasureRow) {
  return {
    erasure_id: erasure.erasureId,
    user_id: erasure.userId,
    // Check constraints allow nothing else.
    messages: erasure.messages as "erase" | "keep",
    status: erasure.status as "running" | "done",
    erased: {
      messages: erasure.erasedMessages,
      memberships: erasure.erasedMemberships,
      channels: erasure.erasedChannels,
      ...(erasure.heldMessages > 0 && { held: erasure.heldMessages }),
    },
    created_at: erasure.createdAt,
    ...(erasure.completedAt !== null && { completed_at: erasure.completedAt }),
  };
}

export const presentPerson = (person: PersonRow) => ({
  ...presentUser(person),
  ...(person.deletedAt !== null && { deleted_at: person.deletedAt }),
  ...(person.suspensionReason !== null && { suspension_reason: person.suspensionReason }),
});

export const presentPersonalMembership = ({
  channelId,
  role,
  joinedAt,
  readCreatedAt,
  readPk,
}: PersonalMembership) => ({
  channel_id: channelId,
  role,
  joined_at: joinedAt,
  ...(readCreatedAt !== null &&
    readPk !== null && { read_message_id: formatMessageId({ createdAt: readCreatedAt, pk: readPk }) }),
});

export const presentPersonalMessage = ({ channelId, ...message }: PersonalMessage, urlOf: UrlOf) =>
  presentMessageRow(channelId, message, { urlOf });

export const presentPersonalReaction = (entry: PersonalReaction) => ({
  ...presentPersonalMention(entry),
  reaction: entry.reaction,
  created_at: entry.createdAt,
});

export const presentPersonalMention = ({
  channelId,
  messageCreatedAt,
  messagePk,
}: Pick<PersonalMention, "channelId" | "messageCreatedAt" | "messagePk">) => ({
  channel_id: channelId,
  message_id: formatMessageId({ createdAt: messageCreatedAt, pk: messagePk }),
});

export const presentPersonalMute = ({ channelId, until }: Pick<PersonalMute, "channelId" | "until">) => ({
  channel_id: channelId,
  ...(until !== 0 && { until }),
});

export const presentPersonalFile = ({ channelId, ...file }: PersonalFile) => ({
  channel_id: channelId,
  file_id: file.fileId,
  name: file.name,
  type: file.type,
  size: file.size,
  // A deleted one is not read.
  status: file.status as "waiting" | "ready",
  created_at: file.createdAt,
});

export const presentPersonalBan = (entry: PersonalBan) => ({
  ...presentPersonalMute(entry),
  ...(entry.reason !== null && { reason: entry.reason }),
  created_at: entry.createdAt,
});
