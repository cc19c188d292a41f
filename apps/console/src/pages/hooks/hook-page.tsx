import type { HookAttempt } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { IconButton } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { Menu } from "../../ui/menu";
import { Page, UnloadedPage } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";
import { EditHook } from "./edit-hook";

const looks = { accept: "success", replace: "warning", reject: "warning", failure: "danger" } as const;
type Outcome = keyof typeof looks;

/** A hook with its latest calls, and whether it is paused because it fails. */
export function HookPage() {
  const t = useTexts();
  const can = usePermission();
  const { number, exactTime } = useFormat();
  const [, navigate] = useLocation();
  const { hookId = "" } = useParams<{ hookId: string }>();
  const [action, setAction] = useState<"edit" | "rotate" | "delete">();
  const [secret, setSecret] = useState<string>();
  const hook = useQuery({
    queryKey: ["hooks", "one", hookId],
    queryFn: () => chat.hooks.get(hookId),
    enabled: can("hooks.get"),
  });
  if (hook.data === undefined) return <UnloadedPage title={t.hooks} operation="hooks.get" query={hook} />;
  const { url, attempts, paused_until: pausedUntil, on_failure: onFailure, callers } = hook.data;
  const columns: Column<HookAttempt>[] = [
    {
      header: t.outcome,
      cell: ({ outcome, status, error }) => (
        <span className="clip">
          <Badge look={looks[outcome as Outcome]}>{t.hookOutcomes[outcome as Outcome] ?? outcome}</Badge>
          <span className="quiet"> {[status, error].filter(Boolean).join(" ")}</span>
        </span>
      ),
    },
    { header: t.operation, cell: ({ operation }) => <code>{operation}</code>, className: "wide" },
    {
      header: t.duration,
      cell: ({ duration_ms: ms }) => t.milliseconds(number(ms)),
      className: "column-number",
    },
    {
      header: t.time,
      cell: ({ created_at: at }) => <Time ms={at} format="compactExactTime" />,
      className: "column-time wide",
    },
  ];
  const onClose = () => setAction(undefined);
  const facts = [
    [t.operations, hook.data.operations.join(", ")],
    [t.hookCallers, callers === "users" ? t.callerKinds.users : t.callerKinds.all],
    [t.onFailure, onFailure === "reject" ? t.failureActions.reject : t.failureActions.accept],
    [t.timeLimit, t.milliseconds(number(hook.data.timeout_ms))],
  ] as const;
  return (
    <Page
      title={url}
      heading={
        <>
          <Link href="/hooks" className="crumb">
            {t.hooks}
          </Link>
          <span className="user-text name">{url}</span>
          {pausedUntil !== undefined && (
            <Badge look="danger">{t.restrictedUntil(t.paused, exactTime(pausedUntil))}</Badge>
          )}
        </>
      }
      operation="hooks.get"
      actions={
        <Menu
          trigger={<IconButton label={t.actions} icon="more" />}
          entries={[
            { label: t.editHook, operation: "hooks.update", onSelect: () => setAction("edit") },
            { label: t.rotate, operation: "hooks.rotate", onSelect: () => setAction("rotate") },
            {
              label: t.deleteHook,
              operation: "hooks.delete",
              isDanger: true,
              onSelect: () => setAction("delete"),
            },
          ]}
        />
      }
    >
      <dl className="facts-line">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <DataTable
        label={t.attempts}
        columns={columns}
        list={{ rows: attempts }}
        rowKey={({ created_at: at, operation, outcome, duration_ms: ms }) =>
          `${at} ${operation} ${outcome} ${ms}`
        }
        empty={<Empty title={t.noHookAttempts} />}
      />
      {action === "edit" && <EditHook hook={hook.data} onClose={onClose} />}
      {action === "rotate" && (
        <Confirm
          title={t.rotate}
          description={t.hookRotateText}
          action={t.rotate}
          isDanger={false}
          onClose={onClose}
          onConfirm={async () => setSecret((await chat.hooks.rotate(hookId)).secret)}
        />
      )}
      {action === "delete" && (
        <Confirm
          title={t.deleteHook}
          description={t.deleteHookText}
          action={t.deleteHook}
          hasReason
          onClose={onClose}
          onConfirm={async (reason) => {
            await chat.hooks.delete(hookId, { reason });
            navigate("/hooks");
            await queryClient.invalidateQueries({ queryKey: ["hooks", "list"] });
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={t.secret}
          text={t.hookSecretText}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}
