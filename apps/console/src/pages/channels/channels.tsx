import type { Channel } from "@madang/client";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { type Column, DataTable } from "../../ui/data-table";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { IdText } from "../../ui/texts/id-text";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";

export function Channels() {
  const t = useTexts();
  const [query, setQuery] = useSearchParameter("q");
  return (
    <Page title={t.channels} operation="channels.list">
      <div className="toolbar">
        <SearchField label={t.findChannels} value={query} onChange={setQuery} hint={t.findHint} />
      </div>
      <ChannelTable query={query.trim()} />
    </Page>
  );
}

function ChannelTable({ query }: { query: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const list = usePagedList(
    ["channels", "list", query],
    (cursor) => chat.channels.list({ pageSize: 30, ...(query && { q: query }), cursor }),
    { keepsPrevious: true },
  );
  const columns: Column<Channel>[] = [
    {
      header: t.name,
      cell: (channel) => (
        <Link href={`/channels/${channel.channel_id}`} className="row-link">
          <Name name={channel.name} id={channel.channel_id} />
          {channel.freeze && <Badge look="warning">{t.frozen}</Badge>}
          {channel.retention?.hold && <Badge>{t.onHold}</Badge>}
        </Link>
      ),
    },
    {
      header: t.id,
      cell: (channel) => (
        <span className="clip">
          <IdText id={channel.channel_id} />
        </span>
      ),
      className: "column-id",
    },
    {
      header: t.messages,
      cell: (channel) => number(channel.total_message_count),
      className: "column-number wide",
    },
    { header: t.created, cell: (channel) => <Time ms={channel.created_at} />, className: "column-time wide" },
  ];
  const empty =
    query === "" ? (
      <Empty title={t.noChannels}>{t.noChannelsHint}</Empty>
    ) : (
      <Empty title={t.noMatch(query)} />
    );
  return (
    <DataTable
      label={t.channels}
      columns={columns}
      list={list}
      rowKey={({ channel_id }) => channel_id}
      empty={empty}
    />
  );
}
