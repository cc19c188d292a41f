import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { useTexts } from "../../text/language";
import { Failure, Loading } from "../../ui/state";
import { Time } from "../../ui/texts/time";
import { Name } from "../../ui/texts/user-text";
import { previewOf } from "../conversation/preview";
import { type ShownReport, textOf } from "./reported";

const messagesAround = 9;

/** What was written around the reported message, beside the list on wide screens. */
export function ReportPreview({ report }: { report: ShownReport }) {
  const t = useTexts();
  const { channel_id: channelId, message_id: messageId, message: reported } = report;
  const text = textOf(report);
  const around = reported === undefined ? undefined : messageId;
  const query = useQuery({
    queryKey: ["reports", "around", channelId, around ?? ""],
    queryFn: () =>
      chat.messages.list(channelId, { ...(around && { around }), pageSize: messagesAround }).firstPage(),
  });
  return (
    <aside className="report-preview" aria-label={t.conversation}>
      <p className="user-text report-preview-reason">{report.reason}</p>
      <p className="quiet">
        <Time ms={report.created_at} />
      </p>
      {messageId !== undefined && reported === undefined && (
        <>
          {text && <p className="quoted user-text">{text.slice(0, 400)}</p>}
          <p className="quiet">{t.messageGone}</p>
        </>
      )}
      {query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : (
        <ol className="report-preview-messages">
          {query.data.items.toReversed().map((message) => (
            <li
              key={message.message_id}
              className="report-preview-message"
              aria-current={message.message_id === messageId || undefined}
            >
              <span className="quiet">
                {message.type === "system" ? (
                  t.system
                ) : (
                  <Name name={message.user.name} id={message.user.user_id} />
                )}{" "}
                <Time ms={message.created_at} />
              </span>
              <span className="user-text">{previewOf(message).slice(0, 400)}</span>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}
