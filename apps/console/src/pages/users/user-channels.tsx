import type { UserChannel } from "@madang/client";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { type Column, DataTable } from "../../ui/data-table";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { previewOf } from "../conversation/preview";

/** The channels of a person, by last activity. */
export function UserChannels({ userId }: { userId: string }) {
  const t = useTexts();
  const list = usePagedList(["users", "channels", userId], (cursor) =>
    chat.users.channels(userId, { pageSize: 30, cursor }),
  );
  const columns: Column<UserChannel>[] = [
    {
      header: t.channel,
      cell: (channel) => (
        <Link href={`/channels/${channel.channel_id}`} className="row-link">
          <Name name={channel.name} id={channel.channel_id} />
          {channel.freeze && <Badge look="warning">{t.frozen}</Badge>}
        </Link>
      ),
    },
    {
      header: t.unread,
      cell: ({ unread_count: count }) => (count === 0 ? "" : count === 100 ? "100+" : count),
      className: "column-number",
    },
    {
      header: t.lastMessage,
      cell: ({ last_message: message }) =>
        message && <span className="clip quiet">{previewOf(message)}</span>,
      className: "wide",
    },
    {
      header: t.lastActivity,
      cell: ({ last_message: message, joined_at: joinedAt }) => <Time ms={message?.created_at ?? joinedAt} />,
      className: "column-time wide",
    },
  ];
  return (
    <DataTable
      label={t.channels}
      columns={columns}
      list={list}
      rowKey={({ channel_id }) => channel_id}
      empty={<Empty title={t.noChannelsOfUser} />}
    />
  );
}
