import type { User } from "@madang/client";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useTexts } from "../../text/language";
import { type Column, DataTable } from "../../ui/data-table";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Avatar } from "../../ui/texts/avatar";
import { IdText } from "../../ui/texts/id-text";
import { RestrictionBadge } from "../../ui/texts/restriction";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";

export function Users() {
  const t = useTexts();
  const [query, setQuery] = useSearchParameter("q");
  return (
    <Page title={t.users} operation="users.list">
      <div className="toolbar">
        <SearchField label={t.findUsers} value={query} onChange={setQuery} hint={t.findHint} />
      </div>
      <UserTable query={query.trim()} />
    </Page>
  );
}

function UserTable({ query }: { query: string }) {
  const t = useTexts();
  const list = usePagedList(
    ["users", "list", query],
    (cursor) => chat.users.list({ pageSize: 30, ...(query && { q: query }), cursor }),
    { keepsPrevious: true },
  );
  const columns: Column<User>[] = [
    {
      header: t.name,
      cell: (user) => (
        <Link href={`/users/${user.user_id}`} className="row-link">
          <Avatar id={user.user_id} name={user.name} />
          <Name name={user.name} id={user.user_id} />
          <RestrictionBadge label={t.suspended} until={user.suspended_until} />
        </Link>
      ),
    },
    {
      header: t.id,
      cell: (user) => (
        <span className="clip">
          <IdText id={user.user_id} />
        </span>
      ),
      className: "column-id",
    },
    { header: t.created, cell: (user) => <Time ms={user.created_at} />, className: "column-time wide" },
  ];
  const empty =
    query === "" ? <Empty title={t.noUsers}>{t.noUsersHint}</Empty> : <Empty title={t.noMatch(query)} />;
  return (
    <DataTable
      label={t.users}
      columns={columns}
      list={list}
      rowKey={({ user_id }) => user_id}
      empty={empty}
    />
  );
}
