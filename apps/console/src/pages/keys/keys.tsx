import type { SubKey } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { CreateKey } from "./create-key";

export const keysQuery = { queryKey: ["keys"], queryFn: () => chat.keys.list() };

/** The sub keys. A key itself is shown only when it is created. */
export function Keys() {
  const t = useTexts();
  const can = usePermission();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<SubKey>();
  const [revoked, setRevoked] = useState<SubKey>();
  const keys = useQuery({ ...keysQuery, enabled: can("keys.list") });
  const columns: Column<SubKey>[] = [
    {
      header: t.label,
      cell: ({ label, key_id }) => <span className="clip user-text name">{label ?? key_id}</span>,
    },
    {
      header: t.id,
      cell: ({ key_id }) => <code className="clip">{key_id}</code>,
      className: "column-id wide",
    },
    {
      header: t.scopes,
      cell: ({ scopes, user_id: userId }) => (
        <span className="clip quiet">
          {userId === undefined
            ? describeScopes(scopes, t)
            : t.scopesAsUser(userId, describeScopes(scopes, t))}
        </span>
      ),
    },
    {
      header: t.lastUsed,
      cell: ({ last_used_at: usedAt }) =>
        usedAt === undefined ? t.never : <Time ms={usedAt} format="ago" />,
      className: "column-time wide",
    },
    { header: t.expires, cell: (key) => <Expiry subKey={key} />, className: "column-time wide" },
    {
      header: t.actions,
      cell: (key) => <Button onClick={() => setRevoked(key)}>{t.revoke}</Button>,
      className: "column-action",
    },
  ];
  return (
    <Page
      title={t.keys}
      operation="keys.list"
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {t.createKey}
        </Button>
      }
    >
      <DataTable
        label={t.keys}
        columns={columns}
        list={listOf(keys)}
        rowKey={({ key_id }) => key_id}
        empty={<Empty title={t.noKeys}>{t.noKeysHint}</Empty>}
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t.key}
          text={t.keyText}
          secret={created.key}
          onClose={() => setCreated(undefined)}
        />
      )}
      {revoked && <RevokeKey subKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

function describeScopes(
  scopes: readonly string[] | undefined,
  t: { fullAccess: string; readOnly: string },
): string {
  if (scopes === undefined) return t.fullAccess;
  return scopes.length === 1 && scopes[0] === "read" ? t.readOnly : scopes.join(", ");
}

const soonMs = 7 * 86_400_000;

export const expiresSoon = ({ expires_at: expiresAt }: SubKey) =>
  expiresAt !== undefined && expiresAt - Date.now() < soonMs;

function Expiry({ subKey }: { subKey: SubKey }) {
  const t = useTexts();
  const { expires_at: expiresAt } = subKey;
  if (expiresAt === undefined) return t.never;
  if (expiresAt < Date.now()) return <Badge look="danger">{t.expired}</Badge>;
  return expiresSoon(subKey) ? (
    <Badge look="warning">
      <Time ms={expiresAt} format="ago" />
    </Badge>
  ) : (
    <Time ms={expiresAt} format="date" />
  );
}

function RevokeKey({ subKey, onClose }: { subKey: SubKey; onClose: () => void }) {
  const t = useTexts();
  return (
    <Confirm
      title={t.revokeTitle(subKey.label ?? subKey.key_id)}
      description={t.revokeText}
      action={t.revoke}
      done={t.revokeDone}
      hasReason
      onClose={onClose}
      onConfirm={async (reason) => {
        await chat.keys.delete(subKey.key, { reason });
        await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      }}
    />
  );
}
