import type { MemberEntry } from "@madang/client";
import { chat } from "../../api/chat";

export type Member = MemberEntry & { readonly isManager: boolean; readonly isParticipant: boolean };

/** Managers need not be participants. */
export async function fetchMembers(channelId: string): Promise<Member[]> {
  const [participants, managers] = await Promise.all([
    chat.channels.members.list(channelId),
    chat.channels.managers.list(channelId),
  ]);
  const managerIds = new Set(managers.map(({ user_id }) => user_id));
  const participantIds = new Set(participants.map(({ user_id }) => user_id));
  return [
    ...participants.map((one) => ({ ...one, isManager: managerIds.has(one.user_id), isParticipant: true })),
    ...managers
      .filter(({ user_id }) => !participantIds.has(user_id))
      .map((one) => ({ ...one, isManager: true, isParticipant: false })),
  ];
}
