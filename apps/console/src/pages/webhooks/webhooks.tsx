import type { EventType, WebhookWithSecret } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { Field, splitList } from "../../ui/fields/field";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { fetchWebhooks, type WebhookState } from "./webhook-state";

export function Webhooks() {
  const t = useTexts();
  const can = usePermission();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const webhooks = useQuery({
    queryKey: ["webhooks", "list"],
    queryFn: fetchWebhooks,
    enabled: can("webhooks.list"),
  });
  const columns: Column<WebhookState>[] = [
    {
      header: t.receiverUrl,
      cell: ({ webhook }) => (
        <Link href={`/webhooks/${webhook.webhook_id}`} className="row-link">
          <span className="name user-text">{webhook.url}</span>
        </Link>
      ),
      className: "column-main",
    },
    { header: t.status, cell: ({ state }) => <WebhookBadge state={state} />, className: "column-short" },
    {
      header: t.events,
      cell: ({ webhook }) => <span className="clip quiet">{webhook.types?.join(", ") ?? t.allTypes}</span>,
      className: "wide",
    },
    {
      header: t.lastActivity,
      cell: ({ lastAttempt }) => lastAttempt && <Time ms={lastAttempt.created_at} />,
      className: "column-time wide",
    },
  ];
  return (
    <Page
      title={t.webhooks}
      operation="webhooks.list"
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {t.createWebhook}
        </Button>
      }
    >
      <DataTable
        label={t.webhooks}
        columns={columns}
        list={listOf(webhooks)}
        rowKey={({ webhook }) => webhook.webhook_id}
        empty={<Empty title={t.noWebhooks}>{t.noWebhooksHint}</Empty>}
      />
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t.secret}
          text={t.secretText}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
}

export function WebhookBadge({ state }: { state: WebhookState["state"] }) {
  const t = useTexts();
  if (state === "disabled") return <Badge>{t.disabled}</Badge>;
  return state === "failing" ? (
    <Badge look="danger">{t.failing}</Badge>
  ) : (
    <Badge look="success">{t.enabled}</Badge>
  );
}

interface CreateWebhookProps {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}

function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.createWebhook}
      description={t.noWebhooksHint}
      action={t.createWebhook}
      isDanger={false}
      onClose={onClose}
      onConfirm={async (_, form) => {
        // The service names the ones that it does not know.
        const types = splitList(form.get("types")) as EventType[];
        const description = String(form.get("description")).trim();
        onCreated(
          await chat.webhooks.create({
            url: String(form.get("url")),
            ...(types.length > 0 && { types }),
            ...(description !== "" && { description }),
          }),
        );
        await queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      }}
    >
      <Field label={t.receiverUrl}>
        {(id) => <input id={id} name="url" type="url" required placeholder="https://" autoComplete="off" />}
      </Field>
      <Field label={t.eventTypes} hint={t.eventTypesHint}>
        {(id) => <input id={id} name="types" autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label={t.description}>{(id) => <input id={id} name="description" autoComplete="off" />}</Field>
    </Confirm>
  );
}
