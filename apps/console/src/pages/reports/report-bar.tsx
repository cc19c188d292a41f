import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { FailureBanner } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { BanDialog } from "../channels/bans";
import { MuteDialog } from "../channels/mute-dialog";
import { DeleteMessageDialog } from "../conversation/message-action";
import { UserAction } from "../users/user-actions";
import { DecideDialog } from "./decide-dialog";
import { type ShownReport, useReadable, withReported } from "./reported";

type Action = "delete" | "mute" | "ban" | "suspend" | "decide";

/** The report that led to a conversation: why, by whom, and everything that a moderator may do about it. */
export function ReportBar({ reportId }: { reportId: string }) {
  const t = useTexts();
  const can = usePermission();
  const readable = useReadable();
  const [action, setAction] = useState<Action>();
  const query = useQuery({
    queryKey: ["reports", "one", reportId],
    queryFn: async () => {
      const { items } = await withReported({ items: [await chat.reports.get(reportId)] }, readable);
      return items[0];
    },
    enabled: can("reports.get"),
  });
  const report = query.data;
  if (query.error)
    return <FailureBanner text={t.notAll} error={query.error} onRetry={() => void query.refetch()} />;
  if (report === undefined) return null;
  const { reportedUser: reported, reporter, message, channel_id: channelId } = report;
  const close = () => setAction(undefined);
  const reload = () => void queryClient.invalidateQueries({ queryKey: ["reports"] });
  return (
    <section className="report-bar" aria-label={t.report}>
      <div className="report-bar-text">
        <p className="user-text">{report.reason}</p>
        <p className="quiet">
          <Link href="/reports">{t.reports}</Link>
          {reporter !== undefined && (
            <span>
              {t.reporter}{" "}
              <Link href={`/users/${reporter.user_id}`}>
                <Name name={reporter.name} id={reporter.user_id} />
              </Link>
            </span>
          )}
          <Time ms={report.created_at} />
          {report.status === "resolved" && <Badge look="success">{t.resolvedReport}</Badge>}
          {report.resolution !== undefined && <span className="user-text">{report.resolution}</span>}
        </p>
      </div>
      <div className="report-bar-actions">
        {message !== undefined && (
          <Button operation="messages.delete" look="outline-danger" onClick={() => setAction("delete")}>
            {t.deleteMessage}
          </Button>
        )}
        {reported !== undefined && (
          <>
            <Button operation="channels.members.mute" onClick={() => setAction("mute")}>
              {t.mute}
            </Button>
            <Button operation="channels.bans.add" onClick={() => setAction("ban")}>
              {t.ban}
            </Button>
            <Button operation="users.suspend" onClick={() => setAction("suspend")}>
              {t.suspend}
            </Button>
          </>
        )}
        <Button operation="reports.resolve" look="primary" onClick={() => setAction("decide")}>
          {report.status === "open" ? t.resolve : t.reopen}
        </Button>
      </div>
      {action === "delete" && message && (
        <DeleteMessageDialog message={message} onClose={close} onDone={reload} />
      )}
      {action === "mute" && reported && <MuteDialog channelId={channelId} user={reported} onClose={close} />}
      {action === "ban" && reported && <BanDialog channelId={channelId} user={reported} onClose={close} />}
      {action === "suspend" && reported && <UserAction name="suspend" user={reported} onClose={close} />}
      {action === "decide" && <DecideDialog report={report} onClose={close} />}
    </section>
  );
}

/** The address of the conversation with the bar of the report. */
export function conversationOf({ channel_id: channelId, message_id: messageId, report_id: id }: ShownReport) {
  const parameters = new URLSearchParams({
    ...(messageId !== undefined && { message: messageId }),
    report: id,
  });
  return `/channels/${channelId}?${parameters}`;
}
