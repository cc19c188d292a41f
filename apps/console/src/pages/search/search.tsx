import { chat } from "../../api/chat";
import { useTexts } from "../../text/language";
import { Page } from "../../ui/page";
import { SearchField } from "../../ui/search-field";
import { useSearchParameter } from "../../ui/search-parameter";
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
      empty={<Empty title={t.noMatch(query)} />}
      query={query}
      isOfOneUser={userId !== undefined}
    />
  );
}
