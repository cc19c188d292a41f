import { useState } from "react";
import { chat } from "../../api/chat";
import { idPattern } from "../../api/ids";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { download } from "../../ui/download";
import { Field } from "../../ui/fields/field";

/** Downloads everything that is stored about everyone who ever had an id, one JSON object per line. */
export function ExportDialog({ userId, onClose }: { userId?: string; onClose: () => void }) {
  const t = useTexts();
  const { number } = useFormat();
  const [count, setCount] = useState(0);
  const [controller] = useState(() => new AbortController());

  async function save(id: string, reason: string) {
    const lines: string[] = [];
    const { signal } = controller;
    const pages = chat.privacy.export(id, { pageSize: 1_000 }, { reason, signal }).pages();
    for await (const { items: messages, index, itemsSoFar, nextCursor, ...lists } of pages) {
      lines.push(`${JSON.stringify({ ...lists, messages })}\n`);
      setCount(itemsSoFar);
    }
    signal.throwIfAborted();
    download(`${id}.ndjson`, "application/x-ndjson", lines);
  }

  return (
    <Confirm
      title={t.exportTitle}
      description={t.exportText}
      action={t.exportAction}
      done={t.exportDone}
      isDanger={false}
      hasReason
      onClose={onClose}
      onAbort={() => {
        controller.abort();
        onClose();
      }}
      onConfirm={(reason, form) => save(String(form.get("user_id")), reason)}
    >
      <Field label={t.userId} hint={count > 0 ? t.messagesSoFar(number(count)) : undefined}>
        {(id) => (
          <input
            id={id}
            name="user_id"
            required
            pattern={idPattern}
            defaultValue={userId}
            readOnly={userId !== undefined}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
    </Confirm>
  );
}
