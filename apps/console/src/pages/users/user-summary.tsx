import type { User } from "@madang/client";
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

/** What matters about a person first: the id, whether the person may write, and from where it is banned. */
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
  const untilOf = (until: number) => (until === 0 ? t.withoutEnd : compactDateTime(until));
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
