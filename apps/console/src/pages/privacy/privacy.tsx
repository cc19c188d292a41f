import type { Erasure } from "@madang/client";
import { useState } from "react";
import { chat } from "../../api/chat";
import { usePagedList } from "../../api/paged-list";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { IdText } from "../../ui/texts/id-text";
import { Time } from "../../ui/texts/time";
import { EraseDialog } from "./erase-dialog";
import { ExportDialog } from "./export-dialog";

const refreshMs = 5_000;

/** The erasures, and where people whose user does not exist any more are erased or exported. */
export function Privacy() {
  const t = useTexts();
  const can = usePermission();
  const { number } = useFormat();
  const [dialog, setDialog] = useState<"erase" | "export">();
  const list = usePagedList(["privacy"], (cursor) => chat.privacy.list({ pageSize: 50, cursor }), {
    isEnabled: can("privacy.list"),
    refetchMs: (erasures) => (erasures.some(({ status }) => status === "running") ? refreshMs : false),
  });
  const columns: Column<Erasure>[] = [
    {
      header: t.userId,
      cell: ({ user_id }) => (
        <span className="clip">
          <IdText id={user_id} />
        </span>
      ),
    },
    {
      header: t.status,
      cell: ({ status }) =>
        status === "done" ? (
          <Badge look="success">{t.erasureDone}</Badge>
        ) : (
          <Badge look="warning">{t.erasureRunning}</Badge>
        ),
      className: "column-short",
    },
    {
      header: t.erased,
      cell: ({ erased: { messages, held } }) => (
        <span className="quiet">
          {t.messagesErased(number(messages))}
          {held !== undefined && ` · ${held === 0 ? t.restHeld : t.messagesHeld(number(held))}`}
        </span>
      ),
    },
    { header: t.created, cell: ({ created_at }) => <Time ms={created_at} />, className: "column-time wide" },
  ];
  const close = () => setDialog(undefined);
  return (
    <Page
      title={t.privacy}
      operation="privacy.list"
      actions={
        <>
          <Button operation="privacy.export" onClick={() => setDialog("export")}>
            {t.exportAction}
          </Button>
          <Button look="outline-danger" operation="privacy.erase" onClick={() => setDialog("erase")}>
            {t.erase}
          </Button>
        </>
      }
    >
      <DataTable
        label={t.privacy}
        columns={columns}
        list={list}
        rowKey={({ erasure_id }) => erasure_id}
        empty={<Empty title={t.noErasures}>{t.noErasuresHint}</Empty>}
      />
      {dialog === "erase" && <EraseDialog onClose={close} />}
      {dialog === "export" && <ExportDialog onClose={close} />}
    </Page>
  );
}
