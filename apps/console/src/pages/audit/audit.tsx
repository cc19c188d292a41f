import type { AuditEntry } from "@madang/client";
import { useStore } from "@madang/react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { language, useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { download } from "../../ui/download";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { showError } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { AuditFilters, useAuditFilter } from "./audit-filters";
import { toCsv } from "./csv";
import { sentenceOf } from "./sentence";

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
  const groups = useMemo(() => list.rows && groupEqual(list.rows), [list.rows]);
  const columns: Column<EntryGroup>[] = [
    { header: t.time, cell: ({ entry }) => <Time ms={entry.at} />, className: "column-time wide" },
    { header: t.happened, cell: (group) => <Happened {...group} /> },
    {
      header: t.reason,
      cell: ({ entry }) => <span className="clip user-text">{entry.reason}</span>,
      className: "wide",
    },
    {
      header: t.outcome,
      cell: ({ entry: { status, code } }) => (
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
          list={{ ...list, rows: groups }}
          rowKey={({ entry }) => entry.entry_id}
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

/** Entries that follow one another and say the same. */
interface EntryGroup {
  /** The newest one. */
  readonly entry: AuditEntry;
  readonly count: number;
}

function groupEqual(entries: readonly AuditEntry[]): EntryGroup[] {
  const groups: EntryGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last !== undefined && saysOf(last.entry) === saysOf(entry))
      groups.splice(-1, 1, { ...last, count: last.count + 1 });
    else groups.push({ entry, count: 1 });
  }
  return groups;
}

/** Everything of an entry but its time and address. */
const saysOf = ({ entry_id: _, at: __, address: ___, ...rest }: AuditEntry) => JSON.stringify(rest);

/** Who did what, linked to what the entry is about. Narrow screens also show time, error code and reason here. */
function Happened({ entry, count }: EntryGroup) {
  const t = useTexts();
  const { number } = useFormat();
  const chosen = useStore(language);
  const { operation, at, code, actor, kind, acting_user_id: actingId, key_id: keyId, reason } = entry;
  const path = pathOf(entry);
  const lines = (
    <span className="row-lines">
      <span className="row-line">
        <span className="clip user-text">{sentenceOf(entry, chosen, t)}</span>
        {count > 1 && <span className="quiet">×{number(count)}</span>}
        <span className="narrow quiet">
          <Time ms={at} />
        </span>
      </span>
      <span className="clip quiet">
        <code>{operation}</code>
        {actor !== undefined && ` · ${actingId ?? keyId ?? kind}`}
        <span className="narrow user-text">{[code, reason].filter(Boolean).map((one) => ` · ${one}`)}</span>
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

/** The page of what the entry is about. A message opens in its conversation. */
function pathOf({ channel_id: channelId, user_id: userId, message_id: messageId }: AuditEntry) {
  if (channelId === undefined) return userId === undefined ? undefined : `/users/${userId}`;
  return `/channels/${channelId}${messageId === undefined ? "" : `?message=${messageId}`}`;
}
