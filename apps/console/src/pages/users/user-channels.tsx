import type { UserChannel } from "@madang/client";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { type Column, DataTable } from "../../ui/data-table";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Select } from "../../ui/fields/select";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { previewOf } from "../conversation/preview";

/** The lists of a person's channels, as the person sees them. */
const lists = ["inbox", "pinned", "archived", "hidden"] as const;

/** The channels of a person, by last activity, with the person's preferences. */
export function UserChannels({ userId }: { userId: string }) {
  const t = useTexts();
  const preferencesOf = usePreferencesText();
  const [parameter, setParameter] = useSearchParameter("list");
  const chosen = lists.find((one) => one === parameter) ?? "inbox";
  const list = usePagedList(["users", "channels", userId, chosen], (cursor) =>
    chat.users.channels(userId, {
      pageSize: 30,
      ...(chosen !== "inbox" && { [chosen]: true }),
      cursor,
    }),
  );
  const columns: Column<UserChannel>[] = [
    {
      header: t.channel,
      cell: (channel) => {
        const preferences = preferencesOf(channel);
        return (
          <Link href={`/channels/${channel.channel_id}`} className="row-link">
            <span className="row-lines">
              <Name name={channel.name} id={channel.channel_id} />
              {preferences !== "" && <span className="clip quiet">{preferences}</span>}
            </span>
            {channel.freeze && <Badge look="warning">{t.frozen}</Badge>}
          </Link>
        );
      },
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
    <>
      <div className="toolbar">
        <Select
          label={t.channels}
          value={chosen}
          options={lists.map((value) => ({ value, label: t.channelLists[value] }))}
          onChange={(value) => setParameter(value === "inbox" ? "" : value)}
        />
      </div>
      <DataTable
        label={t.channels}
        columns={columns}
        list={list}
        rowKey={({ channel_id }) => channel_id}
        empty={<Empty title={chosen === "inbox" ? t.noChannelsOfUser : t.noChannelsInList} />}
      />
    </>
  );
}

/** The preferences of a person for a channel that differ from the default. */
function usePreferencesText(): (channel: UserChannel) => string {
  const t = useTexts();
  const { compactDateTime } = useFormat();
  return ({ preferences: { notify, quiet_until: quietUntil, hidden, archived, pinned_at: pinnedAt } = {} }) =>
    [
      pinnedAt !== undefined && t.channelLists.pinned,
      archived && t.channelLists.archived,
      hidden && t.channelLists.hidden,
      notify !== undefined && t.notify[notify],
      quietUntil !== undefined && t.restrictedUntil(t.quiet, compactDateTime(quietUntil)),
    ]
      .filter(Boolean)
      .join(" · ");
}
