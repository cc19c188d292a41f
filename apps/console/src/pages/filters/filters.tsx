import type { Filter } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button, IconButton } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Confirm } from "../../ui/dialogs/confirm";
import { Menu } from "../../ui/menu";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { EditFilter } from "./edit-filter";

const looks = { reject: "danger", mask: "warning", report: "plain" } as const;

/** What texts of messages must not contain. */
export function Filters() {
  const t = useTexts();
  const { number } = useFormat();
  const can = usePermission();
  const [action, setAction] = useState<{ name: "create" } | { name: "edit" | "delete"; filter: Filter }>();
  const filters = useQuery({
    queryKey: ["filters", "list"],
    queryFn: async () => (await chat.filters.list()).filters,
    enabled: can("filters.list"),
  });
  const columns: Column<Filter>[] = [
    {
      header: t.label,
      cell: ({ label, pattern, word_count: words = 0, hit_count: hits }) => (
        <span className="row-lines">
          <span className="clip name user-text">{label}</span>
          <span className="clip quiet">
            <span className="narrow">{t.hitCount(hits, number(hits))} · </span>
            {pattern === undefined ? t.wordCount(words, number(words)) : <code>{pattern}</code>}
          </span>
        </span>
      ),
      className: "column-main",
    },
    {
      header: t.action,
      cell: ({ action: name }) => (
        <Badge look={looks[name as keyof typeof looks]}>
          {t.filterActions[name as keyof typeof looks] ?? name}
        </Badge>
      ),
      className: "column-short",
    },
    {
      header: t.channels,
      cell: ({ channel_ids: ids }) => (
        <span className="clip quiet">{ids === undefined ? t.allChannels : ids.join(", ")}</span>
      ),
      className: "wide",
    },
    {
      header: t.hits(limits.filterHitDays),
      cell: ({ hit_count: count }) => number(count),
      className: "column-number wide",
    },
    {
      header: t.actions,
      cell: (filter) => (
        <Menu
          trigger={<IconButton label={t.actionsFor(filter.label)} icon="more" />}
          entries={[
            {
              label: t.editFilter,
              operation: "filters.update",
              onSelect: () => setAction({ name: "edit", filter }),
            },
            {
              label: t.deleteFilter,
              operation: "filters.delete",
              isDanger: true,
              onSelect: () => setAction({ name: "delete", filter }),
            },
          ]}
        />
      ),
      className: "column-menu",
    },
  ];
  const onClose = () => setAction(undefined);
  return (
    <Page
      title={t.filters}
      operation="filters.list"
      actions={
        <Button look="primary" operation="filters.create" onClick={() => setAction({ name: "create" })}>
          {t.createFilter}
        </Button>
      }
    >
      <DataTable
        label={t.filters}
        columns={columns}
        list={listOf(filters)}
        rowKey={({ filter_id }) => filter_id}
        empty={<Empty title={t.noFilters}>{t.noFiltersHint}</Empty>}
      />
      {action?.name === "create" && <EditFilter onClose={onClose} />}
      {action?.name === "edit" && <EditFilter filterId={action.filter.filter_id} onClose={onClose} />}
      {action?.name === "delete" && (
        <Confirm
          title={t.deleteFilterTitle(action.filter.label)}
          description={t.deleteFilterText}
          action={t.deleteFilter}
          hasReason
          onClose={onClose}
          onConfirm={async (reason) => {
            await chat.filters.delete(action.filter.filter_id, { reason });
            await queryClient.invalidateQueries({ queryKey: ["filters"] });
          }}
        />
      )}
    </Page>
  );
}
