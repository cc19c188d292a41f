import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { usePermission, useSession } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Badge } from "../../ui/texts/badge";

/** Changes reach the feed within seconds, also when nobody follows it. */
const maxLagMs = 30_000;

export function useEventQueue() {
  const can = usePermission();
  const queue = useQuery({
    queryKey: ["events", "queue"],
    queryFn: () => chat.events.queue(),
    enabled: can("events.queue"),
  });
  return { queue, isDelayed: queue.data !== undefined && queue.data.lag_ms > maxLagMs };
}

/** Whether the service responds, how far the feed of events is behind, and the version of the server. */
export function Health() {
  const t = useTexts();
  const { number } = useFormat();
  const { version } = useSession();
  const { queue, isDelayed } = useEventQueue();
  const { event_count: count = 0, lag_ms: lagMs = 0 } = queue.data ?? {};
  return (
    <dl className="facts-line" aria-label={t.health}>
      <div>
        <dt>{t.service}</dt>
        <dd>
          {queue.isError ? (
            <Badge look="danger">{t.notAvailable}</Badge>
          ) : isDelayed ? (
            <Badge look="warning">{t.delayed}</Badge>
          ) : (
            <Badge look="success">{t.available}</Badge>
          )}
        </dd>
      </div>
      {queue.data && (
        <div>
          <dt>{t.eventQueue}</dt>
          <dd>
            {count === 0 ? t.queueEmpty : t.queueBehind(number(count), number(Math.ceil(lagMs / 1_000)))}
          </dd>
        </div>
      )}
      {version !== undefined && (
        <div>
          <dt>{t.version}</dt>
          <dd>{version}</dd>
        </div>
      )}
    </dl>
  );
}
