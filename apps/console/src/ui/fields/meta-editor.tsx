import type { Operation } from "@madang/client";
import { type FormEvent, useState } from "react";
import { useForbidden } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button, IconButton } from "../button";
import { ErrorText } from "../texts/error-text";

interface MetaEditorProps {
  readonly meta: Readonly<Record<string, string>>;
  readonly mergeOperation: Operation;
  readonly deleteOperation: Operation;
  readonly onMerge: (meta: Record<string, string>) => Promise<unknown>;
  readonly onDelete: (keys: readonly string[]) => Promise<unknown>;
}

/** The metadata of a user or channel. Each pair is saved on its own. */
export function MetaEditor({ meta, mergeOperation, deleteOperation, onMerge, onDelete }: MetaEditorProps) {
  const t = useTexts();
  const forbidden = useForbidden(mergeOperation);
  const [error, setError] = useState<unknown>();
  const run = (work: Promise<unknown>) => work.then(() => setError(undefined), setError);

  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    void run(onMerge({ [String(data.get("key"))]: String(data.get("value")) }).then(() => form.reset()));
  }

  return (
    <section className="panel" aria-label={t.metadata}>
      <h2>{t.metadata}</h2>
      {Object.keys(meta).length === 0 && <p className="quiet">{t.noMetadata}</p>}
      <dl className="pairs">
        {Object.entries(meta).map(([key, value]) => (
          <div key={key}>
            <dt className="user-text">{key}</dt>
            <dd>
              <span className="user-text">{value}</span>
              <IconButton
                icon="close"
                label={t.remove(key)}
                operation={deleteOperation}
                onClick={() => run(onDelete([key]))}
              />
            </dd>
          </div>
        ))}
      </dl>
      {forbidden === undefined && (
        <form className="pair-form" onSubmit={add}>
          <input name="key" aria-label={t.metaKey} placeholder={t.metaKey} required autoComplete="off" />
          <input name="value" aria-label={t.metaValue} placeholder={t.metaValue} autoComplete="off" />
          <Button type="submit">{t.save}</Button>
        </form>
      )}
      {error !== undefined && (
        <p className="form-error" role="alert">
          <ErrorText error={error} />
        </p>
      )}
    </section>
  );
}
