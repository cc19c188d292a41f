import type { AuditEntry } from "@madang/client";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { download } from "../../ui/download";
import { showError } from "../../ui/notice";
import { Page } from "../../ui/page";
import { useSearchParameter } from "../../ui/search-parameter";
import { Empty } from "../../ui/state";
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
    (cursor) => chat.audit.list({ ...filter, pageSize: 100, cursor }),
    {
      isEnabled: can("audit.list") && filter !== undefined,
      // Reading the log is itself in the log, so what was changed would be hard to find among the reads. Who chooses one wants it.
      isShown: showsReads || filter?.operation ? undefined : isChange,
      // And so is each page of it.
      isOnDemand: true,
      keepsPrevious: true,
    },
  );
  const columns: Column<AuditEntry>[] = [
    { header: t.time, cell: ({ at }) => <Time ms={at} />, className: "column-time wide" },
    { header: t.operation, cell: (entry) => <Call entry={entry} /> },
    {
      header: t.actor,
      cell: ({ actor, kind, acting_user_id, key_id }) => (
        <span className="clip user-text">
          {actor ?? ""} <span className="quiet">{acting_user_id ?? key_id ?? kind}</span>
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
      cell: ({ status, code }) => (
        <Badge look={status < 400 ? "success" : "danger"}>
          <span className="wide">{code ?? status}</span>
          <span className="narrow">{status}</span>
        </Badge>
      ),
      className: "column-outcome",
    },
  ];

  async function save() {
    setSaving(true);
    try {
      const entries = await chat.audit.list({ ...filter, pageSize: 100 }).toArray();
      download("audit.csv", "text/csv", [toCsv(entries)]);
    } catch (error) {
      showError(error);
    }
    setSaving(false);
  }

  return (
    <Page
      title={t.audit}
      operation="audit.list"
      actions={
        <Button onClick={save} disabled={isSaving || filter === undefined} icon="down">
          {t.downloadCsv}
        </Button>
      }
    >
      <AuditFilters />
      {filter === undefined ? (
        <Empty title={t.correctFilters} />
      ) : (
        <DataTable
          label={t.audit}
          columns={columns}
          list={list}
          rowKey={({ entry_id }) => entry_id}
          empty={
            list.hasMore ? (
              <Empty title={t.noChanges}>
                <Button onClick={list.more}>{t.more}</Button>
              </Empty>
            ) : (
              <Empty title={t.noEntries} />
            )
          }
        />
      )}
    </Page>
  );
}

const isChange = ({ method }: AuditEntry) => method !== "GET";

/** The operation, linked to what the entry is about. Narrow screens also show time, error code, actor and reason here. */
function Call({ entry }: { entry: AuditEntry }) {
  const { operation, at, code, actor, kind, acting_user_id: userId, key_id: keyId, reason } = entry;
  const path = pathOf(entry);
  const lines = (
    <span className="row-lines">
      <span className="row-line">
        <code className="clip">{operation}</code>
        <span className="narrow quiet">
          <Time ms={at} />
        </span>
      </span>
      <span className="narrow">
        <span className="clip quiet user-text">
          {[code, actor ?? userId ?? keyId ?? kind, reason].filter(Boolean).join(" · ")}
        </span>
      </span>
    </span>
  );
  return path === undefined ? (
    lines
  ) : (
    <Link href={path} className="row-link">
      {lines}
    </Link>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const t = useTexts();
  const { channel_id: channelId, user_id: userId, message_id: messageId, subject } = entry;
  const path = pathOf(entry);
  return path === undefined ? (
    <code className="clip">{subject}</code>
  ) : (
    <Link href={path} className="row-link">
      <code className="clip">{channelId ?? userId}</code>
      {channelId !== undefined && messageId !== undefined && <span className="quiet">{t.message}</span>}
    </Link>
  );
}

/** The page of what the entry is about. A message opens in its conversation. */
function pathOf({ channel_id: channelId, user_id: userId, message_id: messageId }: AuditEntry) {
  if (channelId === undefined) return userId === undefined ? undefined : `/users/${userId}`;
  return `/channels/${channelId}${messageId === undefined ? "" : `?message=${messageId}`}`;
}
