import type { Message, Pager } from "@madang/client";
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { usePagedList } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { Avatar } from "../../ui/avatar";
import { type Column, DataTable } from "../../ui/data-table";
import { ListStates } from "../../ui/list-states";
import { Time } from "../../ui/time";
import { Name } from "../../ui/user-text";
import { previewOf } from "../conversation/preview";
import { Highlighted } from "./highlighted";

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
  const list = usePagedList(queryKey, fetchPage);
  const sender: Column<Message> = {
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
  const columns: Column<Message>[] = [
    {
      header: t.message,
      cell: (message) => (
        <Link href={`/channels/${message.channel_id}?message=${message.message_id}`} className="row-link">
          <Highlighted text={previewOf(message)} query={query} />
        </Link>
      ),
      className: "column-main",
    },
    ...(isOfOneUser ? [] : [sender]),
    {
      header: t.channel,
      cell: (message) => <code className="clip">{message.channel_id}</code>,
      className: "column-id wide",
    },
    {
      header: t.sent,
      cell: (message) => <Time ms={message.created_at} />,
      className: isOfOneUser ? "column-time" : "column-time wide",
    },
  ];
  return (
    <ListStates list={list} empty={empty}>
      {(messages) => (
        <DataTable
          label={t.results}
          columns={columns}
          rows={messages}
          rowKey={({ message_id }) => message_id}
          hasMore={list.hasMore}
          onMore={list.more}
        />
      )}
    </ListStates>
  );
}
