import type { Message, Page, Pager } from "@madang/client";
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { type Column, DataTable } from "../../ui/data-table";
import { Avatar } from "../../ui/texts/avatar";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { previewOf } from "../conversation/preview";
import { Highlighted } from "./highlighted";

type Hit = Message & { readonly channelName?: string | undefined };

interface MessageHitsProps {
  /** What the list is of, for the cache. */
  readonly queryKey: QueryKey;
  readonly fetchPage: (cursor: string | undefined) => Pager<Message>;
  readonly empty: ReactNode;
  /** The words to mark. */
  readonly query?: string;
  /** Whether all messages are of the person whose page this is. */
  readonly isOfOneUser?: boolean;
}

/** Messages of all channels. Each opens the conversation around it. */
export function MessageHits(props: MessageHitsProps) {
  const { queryKey, fetchPage, empty, query = "", isOfOneUser = false } = props;
  const t = useTexts();
  const can = usePermission();
  const list = usePagedList(queryKey, (cursor) => ({
    async firstPage() {
      const page = await fetchPage(cursor).firstPage();
      return can("channels.list") ? withChannelNames(page) : page;
    },
  }));
  const sender: Column<Hit> = {
    header: t.sender,
    cell: (message) =>
      message.type === "system" ? (
        <span className="quiet">{t.system}</span>
      ) : (
        <Link href={`/users/${message.user.user_id}`} className="row-link">
          <Avatar id={message.user.user_id} name={message.user.name} />
          <Name name={message.user.name} id={message.user.user_id} />
        </Link>
      ),
    className: "column-person",
  };
  const columns: Column<Hit>[] = [
    {
      header: t.message,
      cell: (message) => (
        <Link href={`/channels/${message.channel_id}?message=${message.message_id}`} className="row-link">
          <span className="row-lines">
            <Highlighted text={previewOf(message)} query={query} />
            <span className="narrow">
              <span className="clip quiet">
                <ChannelName hit={message} />
              </span>
            </span>
          </span>
        </Link>
      ),
      className: "column-main",
    },
    ...(isOfOneUser ? [] : [sender]),
    {
      header: t.channel,
      cell: (message) => (
        <span className="clip" title={message.channel_id}>
          <ChannelName hit={message} />
        </span>
      ),
      className: "column-id wide",
    },
    {
      header: t.sent,
      cell: (message) => <Time ms={message.created_at} />,
      className: isOfOneUser ? "column-time" : "column-time wide",
    },
  ];
  return (
    <DataTable
      label={t.results}
      columns={columns}
      list={list}
      rowKey={({ message_id }) => message_id}
      empty={empty}
    />
  );
}

/** Without a name, because the key may not read channels or the channel was deleted meanwhile, the id stands for it. */
function ChannelName({ hit: { channelName, channel_id: id } }: { hit: Hit }) {
  return channelName === undefined ? <code>{id}</code> : <Name name={channelName} id={id} />;
}

async function withChannelNames(page: Page<Message>): Promise<Page<Hit>> {
  const channel_ids = [...new Set(page.items.map((message) => message.channel_id))];
  if (channel_ids.length === 0) return page;
  const { items } = await chat.channels.list({ channel_ids }).firstPage();
  const names = new Map(items.map(({ channel_id: id, name }) => [id, name]));
  return { ...page, items: page.items.map((hit) => ({ ...hit, channelName: names.get(hit.channel_id) })) };
}
