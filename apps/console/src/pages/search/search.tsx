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
        <MessageHits query={query.trim()} />
      )}
    </Page>
  );
}
