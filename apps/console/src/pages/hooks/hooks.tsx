import type { Hook, HookWithSecret } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { EditHook } from "./edit-hook";

/** The hooks, which call the application before messages are stored. */
export function Hooks() {
  const t = useTexts();
  const can = usePermission();
  const { number } = useFormat();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<HookWithSecret>();
  const hooks = useQuery({
    queryKey: ["hooks", "list"],
    queryFn: async () => (await chat.hooks.list()).hooks,
    enabled: can("hooks.list"),
  });
  const columns: Column<Hook>[] = [
    {
      header: t.receiverUrl,
      cell: ({ hook_id: id, url }) => (
        <Link href={`/hooks/${id}`} className="row-link">
          <span className="name user-text">{url}</span>
        </Link>
      ),
      className: "column-main",
    },
    {
      header: t.onFailure,
      cell: ({ on_failure: name }) => (name === "reject" ? t.failureActions.reject : t.failureActions.accept),
    },
    {
      header: t.operations,
      cell: ({ operations }) => <span className="clip quiet">{operations.join(", ")}</span>,
      className: "wide",
    },
    {
      header: t.timeLimit,
      cell: ({ timeout_ms: ms }) => t.milliseconds(number(ms)),
      className: "column-number wide",
    },
  ];
  return (
    <Page
      title={t.hooks}
      operation="hooks.list"
      actions={
        <Button look="primary" operation="hooks.create" onClick={() => setCreating(true)}>
          {t.createHook}
        </Button>
      }
    >
      <DataTable
        label={t.hooks}
        columns={columns}
        list={listOf(hooks)}
        rowKey={({ hook_id }) => hook_id}
        empty={<Empty title={t.noHooks}>{t.noHooksHint}</Empty>}
      />
      {isCreating && <EditHook onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t.secret}
          text={t.hookSecretText}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
}
