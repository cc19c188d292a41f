import type { Operation } from "@madang/client";
import type { ReactNode } from "react";
import type { List } from "../api/paged-list";
import { useForbidden } from "../session/current-session";
import { useTexts } from "../text/language";
import { Button } from "./button";
import { ErrorText } from "./texts/error-text";
import { Icon } from "./texts/icon";

/** What is shown instead of a list that has nothing. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="state-text">{children}</div>}
    </div>
  );
}

export function Loading() {
  const t = useTexts();
  return (
    <div className="state" role="status">
      <span className="loading-bar" aria-hidden="true" />
      <span className="hidden">{t.loading}</span>
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** An error, with what an engineer needs to find it in the log of the service. */
export function Failure({ error, onRetry }: FailureProps) {
  const t = useTexts();
  const { code, requestId } = Object(error);
  return (
    <div className="state" role="alert">
      <p className="state-title">{t.failed}</p>
      <p className="state-text">
        <ErrorText error={error} />
      </p>
      {(code ?? requestId) && (
        <p className="state-text">
          <code>{[code, requestId].filter(Boolean).join(" · ")}</code>
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{t.tryAgain}</Button>}
    </div>
  );
}

interface ListStatesProps<Item> {
  readonly list: List<Item>;
  /** Shown when there is nothing. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Item[]) => ReactNode;
}

/** A list, or why it is not there, or not all of it. */
export function ListStates<Item>({ list: { rows, error, retry }, empty, children }: ListStatesProps<Item>) {
  const t = useTexts();
  if (error && !rows?.length) return <Failure error={error} onRetry={retry} />;
  if (rows === undefined) return <Loading />;
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      {Boolean(error) && <FailureBanner text={t.notAll} error={error} onRetry={retry} />}
    </>
  );
}

interface FailureBannerProps extends FailureProps {
  readonly text: string;
}

/** An error beside what was loaded before it. */
export function FailureBanner({ text, error, onRetry }: FailureBannerProps) {
  const t = useTexts();
  return (
    <div className="banner banner-retry" role="alert">
      <p>
        {text} <ErrorText error={error} />
      </p>
      {onRetry && <Button onClick={onRetry}>{t.tryAgain}</Button>}
    </div>
  );
}

export function NotPermitted({ operation }: { operation: Operation }) {
  const t = useTexts();
  return (
    <div className="state">
      <Icon name="lock" />
      <p className="state-title">{t.notPermitted}</p>
      <p className="state-text">{useForbidden(operation)}</p>
    </div>
  );
}
