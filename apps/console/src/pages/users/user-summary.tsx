import type { User, UserPresence } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { showError } from "../../ui/notice";
import { Id } from "../../ui/texts/copy";
import { isInForce } from "../../ui/texts/restriction";
import { Name } from "../../ui/texts/user-text";

const refreshMs = 15_000;

/** The id of a person, and whether the person may write, is online or is banned. */
export function UserSummary({ user }: { user: User }) {
  const t = useTexts();
  const can = usePermission();
  const { compactDateTime } = useFormat();
  const { user_id: userId, suspended_until: suspendedUntil } = user;
  const bans = useQuery({
    queryKey: ["users", "bans", userId],
    queryFn: () => chat.users.bans(userId, { pageSize: 100 }).firstPage(),
    enabled: can("users.bans"),
  });
  // If presence is turned off, the request fails, and nothing is shown.
  const presence = useQuery({
    queryKey: ["users", "presence", userId],
    queryFn: async () => (await chat.presence.list({ user_ids: [userId] })).presence[0] ?? null,
    enabled: can("presence.list"),
    refetchInterval: ({ state }) => state.status === "success" && refreshMs,
  });
  const untilOf = (until: number) => (until === 0 ? t.withoutEnd : compactDateTime(until));
  const textOf = ({ status, last_seen_at: lastSeenAt }: UserPresence) => {
    if (status === "online") return t.online;
    return lastSeenAt === undefined ? t.offline : t.lastOnline(compactDateTime(lastSeenAt));
  };
  const lift = (channelId: string) =>
    chat.channels.bans
      .remove(channelId, userId)
      .then(() => queryClient.invalidateQueries({ queryKey: ["users", "bans", userId] }), showError);
  return (
    <dl className="summary">
      <dt>{t.id}</dt>
      <dd>
        <Id id={userId} />
      </dd>
      <dt>{t.status}</dt>
      <dd>
        {suspendedUntil !== undefined && isInForce(suspendedUntil)
          ? t.restrictedUntil(t.suspended, untilOf(suspendedUntil))
          : t.active}
      </dd>
      {presence.data && (
        <>
          <dt>{t.presence}</dt>
          <dd>{textOf(presence.data)}</dd>
        </>
      )}
      {bans.data !== undefined && bans.data.items.length > 0 && (
        <>
          <dt>{t.banned}</dt>
          <dd>
            <ul className="summary-bans">
              {bans.data.items.map(({ channel, until, reason }) => (
                <li key={channel.channel_id} className="summary-ban">
                  <Link href={`/channels/${channel.channel_id}`}>
                    <Name name={channel.name} id={channel.channel_id} />
                  </Link>
                  <span className="quiet">{untilOf(until ?? 0)}</span>
                  {reason !== undefined && <span className="quiet clip user-text">{reason}</span>}
                  <Button
                    operation="channels.bans.remove"
                    look="quiet"
                    onClick={() => lift(channel.channel_id)}
                  >
                    {t.unban}
                  </Button>
                </li>
              ))}
            </ul>
            {bans.data.nextCursor !== undefined && <span className="quiet">{t.firstOnly}</span>}
          </dd>
        </>
      )}
    </dl>
  );
}
