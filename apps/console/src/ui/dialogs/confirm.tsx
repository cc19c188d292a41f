import { limits } from "@madang/contract/limits";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../../text/language";
import { Button } from "../button";
import { Field } from "../fields/field";
import { showNotice } from "../notice";
import { ErrorText } from "../texts/error-text";
import { Dialog } from "./dialog";

interface ConfirmProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly action: string;
  readonly onClose: () => void;
  /** Aborts what was confirmed and closes. Without it, nothing closes the dialog until that has succeeded or failed. */
  readonly onAbort?: () => void;
  /** `reason` is empty where none is asked for. */
  readonly onConfirm: (reason: string, form: FormData) => Promise<unknown>;
  /** Whether the audit log needs a reason. */
  readonly hasReason?: boolean;
  readonly isDanger?: boolean;
  readonly done?: string;
  /** Takes it back, while that is offered beside `done`. */
  readonly undo?: () => Promise<unknown>;
  /** Further fields, which `onConfirm` gets. */
  readonly children?: ReactNode;
}

/** Asks before a change that cannot be undone, and shows why the service rejects it. */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    description,
    action,
    onClose,
    onAbort,
    onConfirm,
    hasReason = false,
    isDanger = true,
    done,
    undo,
    children,
  } = props;
  const t = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const cancel = isBusy ? onAbort : onClose;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await onConfirm(String(form.get("reason") ?? "").trim(), form);
      if (done !== undefined) showNotice(done, undo);
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  }

  return (
    <Dialog title={title} description={description} onClose={cancel}>
      <form className="form" onSubmit={submit}>
        {children}
        {hasReason && (
          <Field label={t.reason} hint={t.reasonHint}>
            {(id) => (
              <input
                id={id}
                name="reason"
                required
                maxLength={limits.auditHeader.maxLength}
                pattern=".*\S.*"
                autoComplete="off"
              />
            )}
          </Field>
        )}
        {error !== undefined && (
          <p className="form-error" role="alert">
            <ErrorText error={error} />
          </p>
        )}
        <div className="form-actions">
          <Button onClick={cancel} disabled={cancel === undefined}>
            {t.cancel}
          </Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} disabled={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
