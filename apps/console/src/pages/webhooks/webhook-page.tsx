import type { Webhook } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialogs/confirm";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { Menu, type MenuEntry } from "../../ui/menu";
import { showError, showNotice } from "../../ui/notice";
import { Page, UnloadedPage } from "../../ui/page";
import { Time } from "../../ui/texts/time";
import { Attempts } from "./attempts";
import { WebhookBadge } from "./webhooks";

type Action = "rotate" | "delete";

const refresh = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });

export function WebhookPage() {
  const t = useTexts();
  const can = usePermission();
  const { webhookId = "" } = useParams<{ webhookId: string }>();
  const [action, setAction] = useState<Action>();
  const [secret, setSecret] = useState<string>();
  const [isPinging, setPinging] = useState(false);
  const { number } = useFormat();
  const webhook = useQuery({
    queryKey: ["webhooks", "one", webhookId],
    queryFn: () => chat.webhooks.get(webhookId),
    enabled: can("webhooks.get"),
  });
  if (webhook.data === undefined)
    return <UnloadedPage title={t.webhooks} operation="webhooks.get" query={webhook} />;
  const { url, enabled } = webhook.data;

  async function ping() {
    setPinging(true);
    try {
      const { status, duration_ms: durationMs, error } = await chat.webhooks.ping(webhookId);
      showNotice(
        status === undefined ? t.pingFailed(error ?? "") : t.pingSucceeded(status, number(durationMs)),
      );
    } catch (error) {
      showError(error);
    }
    setPinging(false);
    await refresh();
  }

  const entries: MenuEntry[] = [
    {
      label: enabled ? t.disable : t.enable,
      onSelect: () => chat.webhooks.update(webhookId, { enabled: !enabled }).then(refresh, showError),
    },
    { label: t.rotate, onSelect: () => setAction("rotate") },
    { label: t.deleteWebhook, isDanger: true, onSelect: () => setAction("delete") },
  ];
  const heading = (
    <>
      <Link href="/webhooks" className="crumb">
        {t.webhooks}
      </Link>
      <span className="user-text name">{url}</span>
      {!enabled && <WebhookBadge state="disabled" />}
    </>
  );
  return (
    <Page
      title={url}
      heading={heading}
      operation="webhooks.get"
      actions={
        <>
          <Button disabled={isPinging} onClick={ping}>
            {t.ping}
          </Button>
          <Menu trigger={<IconButton label={t.actions} icon="more" />} entries={entries} />
        </>
      }
    >
      <Facts webhook={webhook.data} />
      <Attempts webhookId={webhookId} />
      {action && (
        <WebhookAction
          name={action}
          webhookId={webhookId}
          onSecret={setSecret}
          onClose={() => setAction(undefined)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={t.secret}
          text={t.secretText}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const t = useTexts();
  const { types, description, created_at: createdAt, webhook_id: webhookId } = webhook;
  return (
    <dl className="facts-line">
      <div>
        <dt>{t.id}</dt>
        <dd>
          <code>{webhookId}</code>
        </dd>
      </div>
      <div>
        <dt>{t.events}</dt>
        <dd>{types?.join(", ") ?? t.allTypes}</dd>
      </div>
      {description !== undefined && (
        <div>
          <dt>{t.description}</dt>
          <dd className="user-text">{description}</dd>
        </div>
      )}
      <div>
        <dt>{t.created}</dt>
        <dd>
          <Time ms={createdAt} />
        </dd>
      </div>
    </dl>
  );
}

interface WebhookActionProps {
  readonly name: Action;
  readonly webhookId: string;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function WebhookAction({ name, webhookId, onSecret, onClose }: WebhookActionProps) {
  const t = useTexts();
  const [, navigate] = useLocation();
  if (name === "rotate")
    return (
      <Confirm
        title={t.rotate}
        description={t.rotateText}
        action={t.rotate}
        isDanger={false}
        onClose={onClose}
        onConfirm={async () => onSecret((await chat.webhooks.rotate(webhookId)).secret)}
      />
    );
  return (
    <Confirm
      title={t.deleteWebhook}
      description={t.deleteWebhookText}
      action={t.deleteWebhook}
      hasReason
      onClose={onClose}
      onConfirm={async (reason) => {
        await chat.webhooks.delete(webhookId, { reason });
        navigate("/webhooks");
        await queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
      }}
    />
  );
}
