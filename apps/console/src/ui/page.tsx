import type { Operation } from "@madang/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { usePermission } from "../session/current-session";
import { Failure, Loading, NotPermitted } from "./state";

interface PageProps {
  readonly title: string;
  /** Shown in place of the title. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  /** What the page cannot do without. */
  readonly operation: Operation;
  readonly children: ReactNode;
}

export function Page({ title, heading, actions, operation, children }: PageProps) {
  const can = usePermission();
  useEffect(() => {
    document.title = `${title} · Madang`;
  }, [title]);
  return (
    <>
      <header className="page-header">
        <h1>{heading ?? title}</h1>
        {can(operation) && actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {can(operation) ? children : <NotPermitted operation={operation} />}
    </>
  );
}

interface UnloadedPageProps extends Pick<PageProps, "title" | "operation"> {
  readonly query: Pick<UseQueryResult, "error" | "refetch">;
}

/** A page without what it is about: that is being fetched, cannot be fetched, or does not exist. */
export function UnloadedPage({ query: { error, refetch }, ...props }: UnloadedPageProps) {
  return (
    <Page {...props}>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}</Page>
  );
}
