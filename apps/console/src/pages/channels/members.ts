import type { MemberEntry } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";

export type Member = MemberEntry & { readonly isManager: boolean; readonly isParticipant: boolean };

/** Participants and managers of a channel, if the key may list both. */
export function useMembers(channelId: string) {
  const can = usePermission();
  return useQuery({
    queryKey: ["channels", "members", channelId],
    queryFn: () => fetchMembers(channelId),
    enabled: can("channels.members.list") && can("channels.managers.list"),
  });
}

export const refreshMembers = (channelId: string) =>
  queryClient.invalidateQueries({ queryKey: ["channels", "members", channelId] });

export async function unmute(channelId: string, userId: string): Promise<void> {
  await chat.channels.members.unmute(channelId, userId);
  await refreshMembers(channelId);
}

/** Managers need not be participants. */
async function fetchMembers(channelId: string): Promise<Member[]> {
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
