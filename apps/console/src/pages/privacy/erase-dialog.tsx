import { useState } from "react";
import { chat } from "../../api/chat";
import { idPattern } from "../../api/ids";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { Field } from "../../ui/fields/field";
import { Select } from "../../ui/fields/select";

interface EraseDialogProps {
  /** The person, otherwise it is asked for. */
  readonly userId?: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Erases everyone who ever had an id. The id is typed, so that it is not the wrong one. */
export function EraseDialog({ userId, onClose, onDone }: EraseDialogProps) {
  const t = useTexts();
  const [messages, setMessages] = useState<"erase" | "keep">("erase");
  return (
    <Confirm
      title={t.eraseTitle}
      description={t.eraseText}
      action={t.erase}
      done={t.eraseStarted}
      hasReason
      onClose={onClose}
      onConfirm={async (reason, form) => {
        await chat.privacy.erase({ user_id: String(form.get("user_id")), messages }, { reason });
        onDone?.();
        await queryClient.invalidateQueries({ queryKey: ["users", "list"] });
        await queryClient.invalidateQueries({ queryKey: ["privacy"] });
      }}
    >
      <Field label={t.userId} hint={userId && t.typeToConfirm(userId)}>
        {(id) => (
          <input
            id={id}
            name="user_id"
            required
            pattern={userId ?? idPattern}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="field">
        <Select
          label={t.messages}
          value={messages}
          options={[
            { value: "erase", label: t.eraseMessages },
            { value: "keep", label: t.keepMessages },
          ]}
          onChange={setMessages}
        />
      </div>
    </Confirm>
  );
}
