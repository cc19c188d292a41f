import type { DeliveryAttempt } from "@madang/client";
import { useState } from "react";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { type Column, DataTable } from "../../ui/data-table";
import { ListStates } from "../../ui/list-states";
import { Empty } from "../../ui/state";
import { Time } from "../../ui/time";
import { hasFailed, refreshSoon } from "./webhook-state";

/** The attempts to deliver events, newest first. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const [replayed, setReplayed] = useState<{ eventId: string; after: string }>();
  const list = usePagedList(["webhooks", "attempts", webhookId], (cursor) =>
    chat.webhooks.attempts(webhookId, { pageSize: 50, cursor }),
  );
  const columns: Column<DeliveryAttempt>[] = [
    { header: t.status, cell: (attempt) => <AttemptBadge attempt={attempt} />, className: "column-status" },
    {
      header: t.event,
      cell: ({ event_id, error, created_at }) => (
        <>
          <span className="wide">
            <code>{event_id}</code>
            {error !== undefined && <span className="quiet"> {error}</span>}
          </span>
          <span className="row-lines narrow">
            <span className="clip">
              <code title={event_id}>{endOf(event_id)}</code>
              {error !== undefined && <span className="quiet"> {error}</span>}
            </span>
            <span className="clip quiet">
              <Time ms={created_at} format="compactExactTime" />
            </span>
          </span>
        </>
      ),
    },
    { header: t.attempt, cell: ({ attempt }) => number(attempt), className: "column-number wide" },
    {
      header: t.duration,
      cell: ({ duration_ms }) => t.milliseconds(number(duration_ms)),
      className: "column-number wide",
    },
    {
      header: t.time,
      cell: ({ created_at }) => <Time ms={created_at} format="compactExactTime" />,
      className: "column-time wide",
    },
    {
      header: t.actions,
      cell: ({ event_id: eventId, after }) =>
        after !== undefined && <Button onClick={() => setReplayed({ eventId, after })}>{t.replay}</Button>,
      className: "column-replay",
    },
  ];
  return (
    <>
      <ListStates list={list} empty={<Empty title={t.noAttempts}>{t.noAttemptsHint}</Empty>}>
        {(rows) => (
          <DataTable
            label={t.attempts}
            columns={columns}
            rows={rows}
            rowKey={({ event_id, attempt, created_at }) => `${event_id} ${attempt} ${created_at}`}
            hasMore={list.hasMore}
            onMore={list.more}
          />
        )}
      </ListStates>
      {replayed !== undefined && (
        <Replay webhookId={webhookId} {...replayed} onClose={() => setReplayed(undefined)} />
      )}
    </>
  );
}

/** What fits on a phone. Ids that are close in time differ at their end. */
const endOf = (id: string) => (id.length > 10 ? `…${id.slice(-9)}` : id);

function AttemptBadge({ attempt }: { attempt: DeliveryAttempt }) {
  const t = useTexts();
  return <Badge look={hasFailed(attempt) ? "danger" : "success"}>{attempt.status ?? t.error}</Badge>;
}

function Replay({
  webhookId,
  eventId,
  after,
  onClose,
}: {
  webhookId: string;
  eventId: string;
  after: string;
  onClose: () => void;
}) {
  const t = useTexts();
  return (
    <Confirm
      title={t.replayTitle}
      description={t.replayText}
      action={t.replay}
      done={t.replayDone}
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        await chat.webhooks.replay(webhookId, after);
        await refreshSoon();
      }}
    >
      <p>
        <code>{eventId}</code>
      </p>
    </Confirm>
  );
}
