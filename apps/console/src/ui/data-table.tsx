import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import type { List } from "../api/paged-list";
import { useTexts } from "../text/language";
import { Button } from "./button";
import { ListStates } from "./state";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `wide` columns are not shown on a phone. */
  readonly className?: string;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: List<Row>;
  readonly rowKey: (row: Row) => string;
  /** Called when a row gets the focus or the pointer. */
  readonly onRow?: (row: Row) => void;
  /** Shown when there is no row. */
  readonly empty: ReactNode;
}

/** A list as a table, or why it is not there. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return (
    <ListStates list={props.list} empty={props.empty}>
      {(rows) => <Table {...props} rows={rows} />}
    </ListStates>
  );
}

type TableProps<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] };

const rowHeight = 41;

/** Of any length: only the rows on the screen exist, and the next page is fetched before the end is reached. */
function Table<Row>({ label, columns, rows, rowKey, list, onRow }: TableProps<Row>) {
  const t = useTexts();
  const { hasMore = false, more, isOnDemand = false } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index], rowKey, index),
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const isNearEnd = hasMore && !isOnDemand && (last?.index ?? 0) >= rows.length - 30;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);

  return (
    <div className="table-scroller" ref={scroller}>
      <table className="table" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ header, className }) => (
              <th key={header} scope="col" className={className}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first?.start ?? 0} />
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                {...(onRow && { onFocus: () => onRow(row), onPointerEnter: () => onRow(row) })}
              >
                {columns.map(({ header, cell, className }) => (
                  <td key={header} className={className}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} />
        </tbody>
      </table>
      {hasMore && (
        <div className="table-more">{isOnDemand ? <Button onClick={more}>{t.more}</Button> : t.loading}</div>
      )}
    </div>
  );
}

function keyOf<Row>(row: Row | undefined, rowKey: (row: Row) => string, index: number): string | number {
  return row === undefined ? index : rowKey(row);
}

/** Stands for the rows that are not on the screen. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td className="spacer" style={{ height }} />
    </tr>
  ) : null;
}
