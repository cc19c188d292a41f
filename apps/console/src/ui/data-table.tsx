import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "../text/language";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `wide` columns are not shown on a phone. */
  readonly className?: string;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly hasMore?: boolean;
  readonly onMore?: () => void;
}

const rowHeight = 41;

/** A list of any length: only the rows on the screen exist, and the next page is fetched before the end is reached. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  hasMore = false,
  onMore,
}: DataTableProps<Row>) {
  const t = useTexts();
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
  const isNearEnd = hasMore && (last?.index ?? 0) >= rows.length - 30;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

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
              <tr key={key} aria-rowindex={index + 2}>
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
      {hasMore && <p className="table-more">{t.loading}</p>}
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
