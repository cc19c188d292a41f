import type { ReactNode } from "react";
import type { PagedList } from "../api/paged-list";
import { Failure, Loading } from "./state";

interface ListStatesProps<Item> {
  readonly list: Pick<PagedList<Item>, "rows" | "error" | "retry">;
  /** Shown when there is nothing. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Item[]) => ReactNode;
}

/** A list, or why it is not there. */
export function ListStates<Item>({ list: { rows, error, retry }, empty, children }: ListStatesProps<Item>) {
  if (rows === undefined)
    return error === undefined ? <Loading /> : <Failure error={error} onRetry={retry} />;
  return rows.length === 0 ? empty : children(rows);
}
