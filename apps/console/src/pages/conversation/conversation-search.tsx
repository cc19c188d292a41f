import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { Empty, ListStates } from "../../ui/state";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { Highlighted } from "../search/highlighted";
import { previewOf } from "./preview";

/** The messages of a channel that contain the words, beside the conversation. */
export function ConversationSearch({ channelId, query }: { channelId: string; query: string }) {
  const t = useTexts();
  const list = usePagedList(["channels", "search", channelId, query], (cursor) =>
    chat.messages.search(channelId, { q: query, pageSize: 50, cursor }),
  );
  const { rows, hasMore, more } = list;
  const [closedFor, setClosedFor] = useState<string>();
  if (closedFor === query) return null;
  return (
    <aside className="hits" aria-label={t.results}>
      <ListStates list={list} empty={<Empty title={t.noMatch(query)} />}>
        {(messages) => (
          <ul>
            {messages.map((message) => (
              <li key={message.message_id}>
                <Link
                  href={`/channels/${channelId}?q=${encodeURIComponent(query)}&message=${message.message_id}`}
                  onClick={() => matchMedia("(max-width: 800px)").matches && setClosedFor(query)}
                >
                  <span className="hit-head">
                    {message.type === "system" ? (
                      t.system
                    ) : (
                      <Name name={message.user.name} id={message.user.user_id} />
                    )}
                    <Time ms={message.created_at} />
                  </span>
                  <Highlighted text={previewOf(message)} query={query} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </ListStates>
      {rows !== undefined && hasMore && <Button onClick={more}>{t.more}</Button>}
    </aside>
  );
}
