import type { User } from "@madang/client";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Select } from "../../ui/fields/select";
import { useMediaQuery } from "../../ui/media-query";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { DecideDialog } from "./decide-dialog";
import { conversationOf } from "./report-bar";
import { ReportPreview } from "./report-preview";
import { type ShownReport, textOf, useReadable, withReported } from "./reported";

const filters = ["open", "resolved", "all"] as const;

/** What users reported, for moderators. Each report opens its conversation. */
export function Reports() {
  const t = useTexts();
  const can = usePermission();
  const readable = useReadable();
  const [shown, setShown] = useState<string>();
  const [chosen, setStatus] = useSearchParameter("status");
  const [decided, setDecided] = useState<ShownReport>();
  const isWide = useMediaQuery("(min-width: 1200px)");
  const status = filters.find((one) => one === chosen) ?? "open";
  const list = usePagedList(
    ["reports", status],
    (cursor) => ({
      async firstPage() {
        const range = { pageSize: 50, ...(status !== "all" && { status }), cursor };
        return withReported(await chat.reports.list(range).firstPage(), readable);
      },
    }),
    { isEnabled: can("reports.list") },
  );
  const columns: Column<ShownReport>[] = [
    {
      header: t.report,
      cell: (report) => <Reported report={report} canRead={readable.messages} />,
    },
    {
      header: t.reportedUser,
      cell: (report) => (
        <span className="row-lines">
          <UserLink user={report.reportedUser} userId={report.reported_user_id} />
          <ChannelLink report={report} />
        </span>
      ),
      className: "column-person wide",
    },
    {
      header: t.reporter,
      cell: ({ reporter, reporter_user_id: id }) => <UserLink user={reporter} userId={id} />,
      className: "column-person wide",
    },
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
  const hasPreview = isWide && readable.messages;
  if (!hasPreview)
    columns.splice(3, 0, {
      header: t.created,
      cell: ({ created_at }) => <Time ms={created_at} />,
      className: "column-time wide",
    });
  const previewed = list.rows?.find(({ report_id: id }) => id === shown) ?? list.rows?.[0];
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
      <div className="reports">
        <DataTable
          label={t.reports}
          columns={columns}
          list={list}
          rowKey={({ report_id }) => report_id}
          onRow={({ report_id: id }) => setShown(id)}
          empty={<Empty title={empty[status]}>{t.noReportsHint}</Empty>}
        />
        {previewed && hasPreview && <ReportPreview report={previewed} />}
      </div>
      {decided && <DecideDialog report={decided} onClose={() => setDecided(undefined)} />}
    </Page>
  );
}

/** Why, and below it what was reported. Narrow screens also show who wrote it and where. */
function Reported({ report, canRead }: { report: ShownReport; canRead: boolean }) {
  const t = useTexts();
  const { channel_id: channelId, message_id: messageId, message, channel, reportedUser } = report;
  const text = textOf(report);
  const isGone = message === undefined && messageId !== undefined && canRead;
  return (
    <Link href={conversationOf(report)} className="row-link">
      <span className="row-lines">
        <span className="row-line">
          <span className="clip user-text">
            {report.reason}
            {report.resolution !== undefined && <span className="quiet"> → {report.resolution}</span>}
          </span>
          <span className="narrow row-place">
            <span className="clip quiet">
              {channel ? <Name name={channel.name} id={channelId} /> : channelId}
            </span>
          </span>
        </span>
        <span className={text !== undefined || isGone ? undefined : "narrow"}>
          <span className="clip quiet">
            {reportedUser && (
              <span className="narrow">
                <Name name={reportedUser.name} id={reportedUser.user_id} />
                {text && ": "}
              </span>
            )}
            {text && <span className="user-text">{text} </span>}
            {isGone && t.messageGone}
          </span>
        </span>
      </span>
    </Link>
  );
}

/** By name, or by id if the user cannot be read. */
function UserLink({ user, userId }: { user: User | undefined; userId: string | undefined }) {
  const id = user?.user_id ?? userId;
  if (id === undefined) return null;
  return (
    <Link href={`/users/${id}`} className="clip">
      {user ? <Name name={user.name} id={id} /> : <code>{id}</code>}
    </Link>
  );
}

function ChannelLink({ report: { channel, channel_id: id } }: { report: ShownReport }) {
  return (
    <Link href={`/channels/${id}`} className="clip quiet">
      {channel ? <Name name={channel.name} id={id} /> : <code>{id}</code>}
    </Link>
  );
}
