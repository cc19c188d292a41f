import type { Report } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { type Column, DataTable } from "../../ui/data-table";
import { Field } from "../../ui/field";
import { Page } from "../../ui/page";
import { useSearchParameter } from "../../ui/search-parameter";
import { Select } from "../../ui/select";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/time";

const filters = ["open", "resolved", "all"] as const;

/** What users reported, for moderators. Each report opens its conversation. */
export function Reports() {
  const t = useTexts();
  const can = usePermission();
  const [chosen, setStatus] = useSearchParameter("status");
  const [decided, setDecided] = useState<Report>();
  const status = filters.find((one) => one === chosen) ?? "open";
  const list = usePagedList(
    ["reports", status],
    (cursor) => chat.reports.list({ pageSize: 50, ...(status !== "all" && { status }), cursor }),
    { isEnabled: can("reports.list") },
  );
  const columns: Column<Report>[] = [
    {
      header: t.reason,
      cell: (report) => (
        <Link href={conversationOf(report)} className="row-link">
          <span className="clip user-text">
            {report.reason}
            {report.resolution !== undefined && <span className="quiet"> → {report.resolution}</span>}
          </span>
        </Link>
      ),
    },
    {
      header: t.status,
      cell: (report) => <StatusBadge status={report.status} />,
      className: "column-short wide",
    },
    {
      header: t.reportedUser,
      cell: ({ reported_user_id: userId }) => userId !== undefined && <UserLink userId={userId} />,
      className: "column-person wide",
    },
    {
      header: t.reporter,
      cell: ({ reporter_user_id: userId }) => userId !== undefined && <UserLink userId={userId} />,
      className: "column-person wide",
    },
    { header: t.created, cell: ({ created_at }) => <Time ms={created_at} />, className: "column-time wide" },
    {
      header: t.actions,
      cell: (report) => (
        <Button operation="reports.resolve" onClick={() => setDecided(report)}>
          {report.status === "open" ? t.resolve : t.reopen}
        </Button>
      ),
      className: "column-action",
    },
  ];
  const labels = { open: t.openReports, resolved: t.resolvedReports, all: t.allReports };
  const empty = { open: t.noOpenReports, resolved: t.noResolvedReports, all: t.noReports };
  return (
    <Page
      title={t.reports}
      operation="reports.list"
      actions={
        <Select
          label={t.status}
          value={status}
          options={filters.map((value) => ({ value, label: labels[value] }))}
          onChange={(value) => setStatus(value === "open" ? "" : value)}
        />
      }
    >
      <DataTable
        label={t.reports}
        columns={columns}
        list={list}
        rowKey={({ report_id }) => report_id}
        empty={<Empty title={empty[status]}>{t.noReportsHint}</Empty>}
      />
      {decided && <Decide report={decided} onClose={() => setDecided(undefined)} />}
    </Page>
  );
}

const conversationOf = ({ channel_id: channelId, message_id: messageId }: Report) =>
  `/channels/${channelId}${messageId === undefined ? "" : `?message=${messageId}`}`;

function UserLink({ userId }: { userId: string }) {
  return (
    <Link href={`/users/${userId}`} className="row-link">
      <code className="clip">{userId}</code>
    </Link>
  );
}

function StatusBadge({ status }: Pick<Report, "status">) {
  const t = useTexts();
  return status === "open" ? (
    <Badge look="warning">{t.reportOpen}</Badge>
  ) : (
    <Badge look="success">{t.reportResolved}</Badge>
  );
}

/** Resolves a report, or opens it again. */
function Decide({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useTexts();
  const isOpen = report.status === "open";
  return (
    <Confirm
      title={isOpen ? t.resolveTitle : t.reopenTitle}
      description={isOpen ? t.resolveText : t.reopenText}
      action={isOpen ? t.resolve : t.reopen}
      isDanger={false}
      onClose={onClose}
      onConfirm={async (_, form) => {
        const resolution = String(form.get("resolution") ?? "").trim();
        await chat.reports.resolve(
          report.report_id,
          isOpen ? { status: "resolved", ...(resolution !== "" && { resolution }) } : { status: "open" },
        );
        await queryClient.invalidateQueries({ queryKey: ["reports"] });
      }}
    >
      <blockquote className="quoted user-text">{report.reason}</blockquote>
      {isOpen && (
        <Field label={t.resolution} hint={t.resolutionHint}>
          {(id) => (
            <textarea id={id} name="resolution" rows={3} maxLength={limits.moderationReason.maxLength} />
          )}
        </Field>
      )}
    </Confirm>
  );
}
