import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { expiresSoon, keysQuery } from "../keys/keys";
import { fetchWebhooks } from "../webhooks/webhook-state";

/** Webhooks that fail and keys that expire: only the master key may see them. */
export function Attention() {
  const t = useTexts();
  const { ago } = useFormat();
  const can = usePermission();
  const isPermitted = can("webhooks.list") && can("keys.list");
  const webhooks = useQuery({
    queryKey: ["webhooks", "list"],
    queryFn: fetchWebhooks,
    enabled: isPermitted,
  });
  const keys = useQuery({ ...keysQuery, enabled: isPermitted });
  if (webhooks.data === undefined || keys.data === undefined) return null;
  const items = [
    ...webhooks.data
      .filter(({ state }) => state !== "enabled")
      .map(({ webhook, state }) => ({
        id: webhook.webhook_id,
        path: `/webhooks/${webhook.webhook_id}`,
        text: state === "failing" ? t.webhookFailing(webhook.url) : t.webhookDisabled(webhook.url),
      })),
    ...keys.data.filter(expiresSoon).map((key) => ({
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
            <li key={id}>
              <Link href={path}>{text}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
