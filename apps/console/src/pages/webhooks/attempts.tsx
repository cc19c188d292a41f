import type { DeliveryAttempt } from "@madang/client";
import { useEffect, useState } from "react";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { hasFailed } from "./webhook-state";

/** An event to replay. */
interface Chosen {
  readonly eventId: string;
  readonly after: string;
  /** When its newest attempt was before the replay. */
  readonly lastAt: number;
}

const newestOf = (attempts: readonly DeliveryAttempt[] = [], eventId: string) =>
  Math.max(0, ...attempts.filter((one) => one.event_id === eventId).map((one) => one.created_at));

const isAfter = ({ event_id, created_at }: DeliveryAttempt, { eventId, lastAt }: Chosen) =>
  event_id === eventId && created_at > lastAt;

/** The attempts to deliver events, newest first. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const [chosen, setChosen] = useState<Chosen>();
  const [replayed, setReplayed] = useState<Chosen & { readonly at: number }>();
  const list = usePagedList(["webhooks", "attempts", webhookId], (cursor) =>
    chat.webhooks.attempts(webhookId, { pageSize: 50, cursor }),
  );
  const columns: Column<DeliveryAttempt>[] = [
    {
      header: t.status,
      cell: (attempt) => <AttemptBadge attempt={attempt} />,
      className: "column-status wide",
    },
    { header: t.event, cell: (attempt) => <Event attempt={attempt} /> },
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
        after !== undefined && (
          <Button onClick={() => setChosen({ eventId, after, lastAt: newestOf(list.rows, eventId) })}>
            {t.replay}
          </Button>
        ),
      className: "column-replay",
    },
  ];
  return (
    <>
      {replayed !== undefined && (
        <ReplayState
          key={replayed.at}
          eventId={replayed.eventId}
          attempt={list.rows?.find((attempt) => isAfter(attempt, replayed))}
        />
      )}
      <DataTable
        label={t.attempts}
        columns={columns}
        list={list}
        rowKey={({ event_id, attempt, created_at }) => `${event_id} ${attempt} ${created_at}`}
        empty={<Empty title={t.noAttempts}>{t.noAttemptsHint}</Empty>}
      />
      {chosen !== undefined && (
        <Replay
          webhookId={webhookId}
          {...chosen}
          onClose={() => setChosen(undefined)}
          onReplayed={() => setReplayed({ ...chosen, at: Date.now() })}
        />
      )}
    </>
  );
}

/** What fits on a phone. Ids that are close in time differ at their end. */
const endOf = (id: string) => (id.length > 10 ? `…${id.slice(-9)}` : id);

/** The event and how its delivery failed. Narrow screens also show status and time here. */
function Event({ attempt }: { attempt: DeliveryAttempt }) {
  const { event_id, error, created_at } = attempt;
  return (
    <>
      <span className="wide">
        <code>{event_id}</code>
        {error !== undefined && <span className="quiet"> {error}</span>}
      </span>
      <span className="row-lines narrow">
        <span className="clip">
          <AttemptBadge attempt={attempt} /> <code title={event_id}>{endOf(event_id)}</code>
          {error !== undefined && <span className="quiet"> {error}</span>}
        </span>
        <span className="clip quiet">
          <Time ms={created_at} format="compactExactTime" />
        </span>
      </span>
    </>
  );
}

function AttemptBadge({ attempt }: { attempt: DeliveryAttempt }) {
  const t = useTexts();
  return <Badge look={hasFailed(attempt) ? "danger" : "success"}>{attempt.status ?? t.error}</Badge>;
}

/** Whether a replayed event has arrived: the list is fetched every second until it has an attempt, for ten seconds. */
function ReplayState({ eventId, attempt }: { eventId: string; attempt: DeliveryAttempt | undefined }) {
  const t = useTexts();
  const [isLate, setLate] = useState(false);
  const isWaiting = attempt === undefined && !isLate;
  useEffect(() => {
    if (!isWaiting) return;
    const refresh = setInterval(() => queryClient.invalidateQueries({ queryKey: ["webhooks"] }), 1_000);
    const end = setTimeout(() => setLate(true), 10_000);
    return () => {
      clearInterval(refresh);
      clearTimeout(end);
    };
  }, [isWaiting]);
  return (
    <p className="replay-state" role="status">
      {attempt !== undefined && <AttemptBadge attempt={attempt} />}
      {attempt === undefined
        ? isLate
          ? t.replayLate
          : t.replayWaiting
        : hasFailed(attempt)
          ? t.replayFailed
          : t.replayArrived}
      <code className="quiet" title={eventId}>
        {endOf(eventId)}
      </code>
    </p>
  );
}

interface ReplayProps {
  readonly webhookId: string;
  readonly eventId: string;
  readonly after: string;
  readonly onClose: () => void;
  readonly onReplayed: () => void;
}

function Replay({ webhookId, eventId, after, onClose, onReplayed }: ReplayProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.replayTitle}
      description={t.replayText}
      action={t.replay}
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        await chat.webhooks.replay(webhookId, after);
        onReplayed();
      }}
    >
      <p>
        <code>{eventId}</code>
      </p>
    </Confirm>
  );
}
