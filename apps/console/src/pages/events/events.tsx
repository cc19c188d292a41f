import type { ReceivedEvent } from "@madang/client";
import { useState } from "react";
import { Link } from "wouter";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { JsonDialog } from "../../ui/dialogs/json-dialog";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Page } from "../../ui/page";
import { Empty, FailureBanner } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { IdText } from "../../ui/texts/id-text";
import { Time } from "../../ui/texts/time";
import { useEvents } from "./use-events";

/** What happens, newest first, from the moment that the page is opened. */
export function Events() {
  const t = useTexts();
  const can = usePermission();
  const { number } = useFormat();
  const [filter, setFilter] = useSearchParameter("q");
  const { events, waiting, isPaused, setPaused, error, retry } = useEvents(can("events.list"));
  const [shown, setShown] = useState<ReceivedEvent>();
  const rows = events.filter((event) => matches(event, filter.trim()));
  const columns: Column<ReceivedEvent>[] = [
    {
      header: t.type,
      cell: (event) => (
        <button type="button" className="row-link row-button" onClick={() => setShown(event)}>
          <code className="clip">{event.type}</code>
        </button>
      ),
    },
    { header: t.channel, cell: (event) => <ChannelLink event={event} /> },
    { header: t.user, cell: (event) => <UserLink event={event} />, className: "wide" },
    {
      header: t.time,
      cell: ({ created_at }) => <Time ms={created_at} format="exactTime" />,
      className: "column-time wide",
    },
  ];
  return (
    <Page
      title={t.events}
      operation="events.list"
      actions={
        <>
          {isPaused && waiting > 0 && <Badge>{t.eventsWaiting(number(waiting))}</Badge>}
          {!isPaused && error === undefined && <Badge look="success">{t.connected}</Badge>}
          <Button onClick={() => setPaused(!isPaused)}>{isPaused ? t.resume : t.pause}</Button>
        </>
      }
    >
      {error !== undefined && <FailureBanner text={t.notLive} error={error} onRetry={retry} />}
      <div className="toolbar">
        <SearchField label={t.filterTypes} value={filter} onChange={setFilter} />
      </div>
      <DataTable
        label={t.events}
        columns={columns}
        list={{ rows }}
        rowKey={({ cursor }) => cursor}
        empty={<Empty title={filter === "" ? t.noEvents : t.noMatch(filter)}>{t.noEventsHint}</Empty>}
      />
      {shown && <JsonDialog title={shown.type} value={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const channelOf = (event: ReceivedEvent) => ("channel_id" in event ? event.channel_id : undefined);
const userOf = (event: ReceivedEvent) => ("user_id" in event ? event.user_id : undefined);

function matches(event: ReceivedEvent, filter: string): boolean {
  return [event.type, channelOf(event), userOf(event)].some((text) => text?.includes(filter));
}

function ChannelLink({ event }: { event: ReceivedEvent }) {
  const id = channelOf(event);
  return id === undefined ? null : (
    <Link href={`/channels/${id}`} className="row-link">
      <span className="clip">
        <IdText id={id} />
      </span>
    </Link>
  );
}

function UserLink({ event }: { event: ReceivedEvent }) {
  const id = userOf(event);
  return id === undefined ? null : (
    <Link href={`/users/${id}`} className="row-link">
      <span className="clip">
        <IdText id={id} />
      </span>
    </Link>
  );
}
