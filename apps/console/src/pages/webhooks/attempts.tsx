import type { DeliveryAttempt } from "@madang/client";
import { useEffect, useRef, useState } from "react";
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
import { findCursorBefore } from "./find-cursor";
import { hasFailed, refreshSoon } from "./webhook-state";

/** The attempts to deliver events, newest first. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const [replayed, setReplayed] = useState<DeliveryAttempt>();
  const list = usePagedList(["webhooks", "attempts", webhookId], (cursor) =>
    chat.webhooks.attempts(webhookId, cursor === undefined ? { pageSize: 50 } : { cursor }),
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
      cell: (attempt) => !isPing(attempt) && <Button onClick={() => setReplayed(attempt)}>{t.replay}</Button>,
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
        <Replay webhookId={webhookId} attempt={replayed} onClose={() => setReplayed(undefined)} />
      )}
    </>
  );
}

/** A ping is not in the feed. */
const isPing = ({ event_id: eventId }: DeliveryAttempt) => eventId.startsWith("ping_");

/** What fits on a phone. Ids that are close in time differ at their end. */
const endOf = (id: string) => (id.length > 10 ? `…${id.slice(-9)}` : id);

function AttemptBadge({ attempt }: { attempt: DeliveryAttempt }) {
  const t = useTexts();
  return <Badge look={hasFailed(attempt) ? "danger" : "success"}>{attempt.status ?? t.error}</Badge>;
}

function Replay({
  webhookId,
  attempt: { event_id: eventId, after },
  onClose,
}: {
  webhookId: string;
  attempt: DeliveryAttempt;
  onClose: () => void;
}) {
  const t = useTexts();
  const controller = useRef(new AbortController());
  useEffect(() => {
    const { current } = controller;
    return () => current.abort();
  }, []);
  return (
    <Confirm
      title={t.replayTitle}
      description={t.replayText}
      action={t.replay}
      done={t.replayDone}
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        const cursor = after ?? (await findCursorBefore(eventId, controller.current.signal));
        if (cursor === undefined) throw new Error(t.replayUnavailable);
        await chat.webhooks.replay(webhookId, cursor);
        await refreshSoon();
      }}
    >
      <p>
        <code>{eventId}</code>
      </p>
    </Confirm>
  );
}
