import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { expiresSoon, keysQuery } from "../keys/keys";
import { fetchWebhooks } from "../webhooks/webhook-state";
import { useEventQueue } from "./health";

/** The others have fewer devices. */
const maxServices = 5;

/** Late events, open reports, webhooks and push services that fail and keys that expire soon: of these, what the key may see. */
export function Attention() {
  const t = useTexts();
  const { ago } = useFormat();
  const can = usePermission();
  const webhooks = useQuery({
    queryKey: ["webhooks", "list"],
    queryFn: fetchWebhooks,
    enabled: can("webhooks.list"),
  });
  const keys = useQuery({ ...keysQuery, enabled: can("keys.list") });
  const reports = useQuery({
    queryKey: ["reports", "attention"],
    queryFn: () => chat.reports.list({ status: "open", pageSize: 100 }).firstPage(),
    enabled: can("reports.list"),
  });
  const services = useQuery({
    queryKey: ["push", "services"],
    queryFn: () => chat.push.services(),
    enabled: can("push.services"),
  });
  // Without one of them, the page would wrongly say that nothing needs attention.
  const { queue, isDelayed } = useEventQueue();
  if ([webhooks, keys, reports, services, queue].some(({ isLoading, isError }) => isLoading || isError))
    return null;
  const { items: open = [], nextCursor } = reports.data ?? {};
  const items = [
    ...(isDelayed ? [{ id: "queue", path: "/events", text: t.eventsDelayed }] : []),
    ...(open.length === 0
      ? []
      : [
          {
            id: "reports",
            path: "/reports",
            text: t.reportsToResolve(open.length, nextCursor !== undefined),
          },
        ]),
    ...(webhooks.data ?? [])
      .filter(({ state }) => state !== "enabled")
      .map(({ webhook, state }) => ({
        id: webhook.webhook_id,
        path: `/webhooks/${webhook.webhook_id}`,
        text: state === "failing" ? t.webhookFailing(webhook.url) : t.webhookDisabled(webhook.url),
      })),
    ...(services.data?.services ?? [])
      .filter(({ failing_since: since }) => since !== undefined)
      .slice(0, maxServices)
      .map(({ service, error = "" }) => ({
        id: service,
        path: undefined,
        text: t.pushServiceFailing(service, error),
      })),
    ...(keys.data ?? []).filter(expiresSoon).map((key) => ({
      id: key.key_id,
      path: "/keys",
      text: t.keyExpires(key.label ?? key.key_id, ago(key.expires_at ?? 0)),
    })),
  ];
  return (
    <section className="attention" aria-label={t.attention}>
      <h2>{t.attention}</h2>
      {items.length === 0 ? (
        <p className="quiet">{t.allGood}</p>
      ) : (
        <ul>
          {items.map(({ id, path, text }) => (
            <li key={id}>{path === undefined ? text : <Link href={path}>{text}</Link>}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
