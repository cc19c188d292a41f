import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { SearchField } from "../../ui/search-field";
import { useSearchParameter } from "../../ui/search-parameter";
import { Empty, NotPermitted } from "../../ui/state";
import { MessageHits } from "../search/message-hits";

/** The messages of a person in all channels that contain some words. */
export function UserMessages({ userId }: { userId: string }) {
  const t = useTexts();
  const can = usePermission();
  const [query, setQuery] = useSearchParameter("q");
  if (!can("messages.searchAll")) return <NotPermitted operation="messages.searchAll" />;
  return (
    <>
      <div className="toolbar">
        <SearchField label={t.searchMessagesOfUser} value={query} onChange={setQuery} />
      </div>
      {query.trim() === "" ? (
        <Empty title={t.searchMessagesOfUser}>{t.searchHint}</Empty>
      ) : (
        <MessageHits query={query.trim()} userId={userId} />
      )}
    </>
  );
}
