import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { MessageHits } from "./message-hits";

export function Search() {
  const t = useTexts();
  const [query, setQuery] = useSearchParameter("q");
  return (
    <Page title={t.search} operation="messages.searchAll">
      <div className="toolbar">
        <SearchField label={t.searchMessages} value={query} onChange={setQuery} />
      </div>
      {query.trim() === "" ? (
        <Empty title={t.searchMessages}>{t.searchHint}</Empty>
      ) : (
        <FoundMessages query={query.trim()} />
      )}
    </Page>
  );
}

/** The messages of all channels, or of one user, that contain the words. */
export function FoundMessages({ query, userId }: { query: string; userId?: string }) {
  const t = useTexts();
  return (
    <MessageHits
      queryKey={["search", query, userId]}
      fetchPage={(cursor) =>
        chat.messages.searchAll(
          // A list that continues sends only its cursor.
          cursor === undefined
            ? { q: query, pageSize: 50, ...(userId !== undefined && { user_id: userId }) }
            : { q: query, cursor },
        )
      }
      empty={
        <Empty title={t.noMatch(query)}>{userId === undefined && <OtherSearches query={query} />}</Empty>
      }
      query={query}
      isOfOneUser={userId !== undefined}
    />
  );
}

/** Only messages are searched here: who looked for a name finds it on another page. */
function OtherSearches({ query }: { query: string }) {
  const t = useTexts();
  const can = usePermission();
  const parameters = new URLSearchParams({ q: query });
  return (
    <ul className="links">
      {can("users.list") && (
        <li>
          <Link href={`/users?${parameters}`}>{t.findUserNamed(query)}</Link>
        </li>
      )}
      {can("channels.list") && (
        <li>
          <Link href={`/channels?${parameters}`}>{t.findChannelNamed(query)}</Link>
        </li>
      )}
    </ul>
  );
}
