import type { AuditEntry } from "@madang/client";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { download } from "../../ui/download";
import { ListStates } from "../../ui/list-states";
import { showNotice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { useSearchParameter } from "../../ui/search-parameter";
import { describeError, Empty } from "../../ui/state";
import { Time } from "../../ui/time";
import { AuditFilters, useAuditFilter } from "./audit-filters";
import { toCsv } from "./csv";

export function Audit() {
  const t = useTexts();
  const can = usePermission();
  const filter = useAuditFilter();
  const [isSaving, setSaving] = useState(false);
  const [showsReads] = useSearchParameter("reads");
  const list = usePagedList(
    ["audit", filter],
    (cursor) => chat.audit.list(cursor === undefined ? { ...filter, pageSize: 100 } : { cursor }),
    { isEnabled: can("audit.list"), keepsPrevious: true },
  );
  // Reading the log is itself in the log, so what was changed would be hard to find among the reads.
  const rows = showsReads ? list.rows : list.rows?.filter(({ method }) => method !== "GET");
  const { hasMore, more } = list;
  const isSearching = rows?.length === 0 && hasMore;
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  const columns: Column<AuditEntry>[] = [
    { header: t.time, cell: ({ at }) => <Time ms={at} />, className: "column-time" },
    { header: t.operation, cell: ({ operation }) => <code className="clip">{operation}</code> },
    {
      header: t.actor,
      cell: ({ actor, kind, key_id }) => (
        <span className="clip user-text">
          {actor ?? ""} <span className="quiet">{key_id ?? kind}</span>
        </span>
      ),
      className: "wide",
    },
    { header: t.subject, cell: (entry) => <Subject entry={entry} />, className: "wide" },
    {
      header: t.reason,
      cell: ({ reason }) => <span className="clip user-text">{reason}</span>,
      className: "wide",
    },
    {
      header: t.outcome,
      cell: ({ status, code }) => <Badge look={status < 400 ? "success" : "danger"}>{code ?? status}</Badge>,
      className: "column-short",
    },
  ];

  async function save() {
    setSaving(true);
    try {
      const entries = await chat.audit.list({ ...filter, pageSize: 100 }).toArray();
      download("audit.csv", "text/csv", [toCsv(entries)]);
    } catch (error) {
      showNotice(describeError(error));
    }
    setSaving(false);
  }

  return (
    <Page
      title={t.audit}
      operation="audit.list"
      actions={
        <Button onClick={save} disabled={isSaving} icon="down">
          {t.downloadCsv}
        </Button>
      }
    >
      <AuditFilters />
      <ListStates
        list={isSearching ? { ...list, rows: undefined } : { ...list, rows }}
        empty={<Empty title={t.noEntries} />}
      >
        {(entries) => (
          <DataTable
            label={t.audit}
            columns={columns}
            rows={entries}
            rowKey={({ entry_id }) => entry_id}
            hasMore={list.hasMore}
            onMore={list.more}
          />
        )}
      </ListStates>
    </Page>
  );
}

/** What the entry is about. The message opens in its conversation. */
function Subject({ entry }: { entry: AuditEntry }) {
  const { channel_id: channelId, user_id: userId, message_id: messageId } = entry;
  if (channelId !== undefined) {
    const message = messageId === undefined ? "" : `?message=${messageId}`;
    return (
      <Link href={`/channels/${channelId}${message}`} className="row-link">
        <code className="clip">{channelId}</code>
      </Link>
    );
  }
  return userId === undefined ? null : (
    <Link href={`/users/${userId}`} className="row-link">
      <code className="clip">{userId}</code>
    </Link>
  );
}
