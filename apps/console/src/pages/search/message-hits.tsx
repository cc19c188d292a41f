import type { Message } from "@madang/client";
import { useEffect } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { Avatar } from "../../ui/avatar";
import { type Column, DataTable } from "../../ui/data-table";
import { ListStates } from "../../ui/list-states";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/time";
import { Name } from "../../ui/user-text";
import { previewOf } from "../conversation/preview";
import { Highlighted } from "./highlighted";

/** The messages of all channels that contain the words. Each opens the conversation around it. */
export function MessageHits({ query, userId }: { query: string; userId?: string }) {
  const t = useTexts();
  const list = usePagedList(["search", query, userId], (cursor) =>
    chat.messages.searchAll(
      // A list that continues sends only its cursor.
      cursor === undefined
        ? { q: query, pageSize: 50, ...(userId !== undefined && { user_id: userId }) }
        : { q: query, cursor },
    ),
  );
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
    {
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
    },
    {
      header: t.channel,
      cell: (message) => <code className="clip">{message.channel_id}</code>,
      className: "column-id wide",
    },
    { header: t.sent, cell: (message) => <Time ms={message.created_at} />, className: "column-time wide" },
  ];
  // A page of a search may have nothing, and the search still goes on.
  const { more } = list;
  const isSearching = list.rows?.length === 0 && list.hasMore;
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  return (
    <ListStates
      list={isSearching ? { ...list, rows: undefined } : list}
      empty={<Empty title={t.noMatch(query)} />}
    >
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
