import type { Channel } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { isId } from "../../api/ids";
import { usePagedList } from "../../api/paged-list";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/badge";
import { type Column, DataTable } from "../../ui/data-table";
import { ListStates } from "../../ui/list-states";
import { Page } from "../../ui/page";
import { SearchField } from "../../ui/search-field";
import { useSearchParameter } from "../../ui/search-parameter";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/time";
import { Name } from "../../ui/user-text";

export function Channels() {
  const t = useTexts();
  const [query, setQuery] = useSearchParameter("q");
  return (
    <Page title={t.channels} operation="channels.list">
      <div className="toolbar">
        <SearchField label={t.findChannels} value={query} onChange={setQuery} />
      </div>
      <ChannelTable query={query.trim()} />
    </Page>
  );
}

/** All channels, newest first, or those whose name begins with the query, after the one with this id. */
function ChannelTable({ query }: { query: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const exact = useQuery({
    queryKey: ["channels", "exact", query],
    queryFn: () => chat.channels.list({ channel_ids: [query] }).firstPage(),
    enabled: isId(query),
  });
  const list = usePagedList(
    ["channels", "list", query],
    (cursor) =>
      chat.channels.list(
        cursor === undefined ? { pageSize: 30, ...(query && { name_prefix: query }) } : { cursor },
      ),
    { keepsPrevious: true },
  );
  const rows = useMemo(() => {
    const found = exact.data?.items ?? [];
    return list.rows && [...found, ...list.rows.filter(({ channel_id }) => channel_id !== query)];
  }, [exact.data, list.rows, query]);
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
      cell: (channel) => <code className="clip">{channel.channel_id}</code>,
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
    <ListStates list={{ ...list, rows }} empty={empty}>
      {(channels) => (
        <DataTable
          label={t.channels}
          columns={columns}
          rows={channels}
          rowKey={({ channel_id }) => channel_id}
          hasMore={list.hasMore}
          onMore={list.more}
        />
      )}
    </ListStates>
  );
}
