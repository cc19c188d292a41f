import { isApiError, type Message } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useState } from "react";
import { chat } from "../../api/chat";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { Field } from "../../ui/fields/field";
import { previewOf } from "./preview";

interface EditDialogProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Changes a text. If another person has changed it meanwhile, it shows theirs and saves only when asked to again. */
export function EditDialog({ message, onClose }: EditDialogProps) {
  const t = useTexts();
  const [read, setRead] = useState(message);
  const { channel_id: channelId, message_id: messageId } = message;

  async function save(content: string) {
    try {
      await chat.messages.update(channelId, messageId, { content, if_updated_at: read.updated_at });
    } catch (error) {
      const current = isApiError(error, "messages.update") ? error.current : undefined;
      if (current === undefined) throw error;
      setRead(current);
      throw new Error(t.changedMeanwhile);
    }
  }

  return (
    <Confirm
      title={t.editMessage}
      description={t.editText}
      action={t.save}
      isDanger={false}
      onClose={onClose}
      onConfirm={(_, form) => save(String(form.get("content")))}
    >
      {read !== message && (
        <div className="field">
          <span className="field-label">{t.currentText}</span>
          <blockquote className="quoted user-text">{previewOf(read)}</blockquote>
        </div>
      )}
      <Field label={read === message ? t.message : t.yourText}>
        {(id) => (
          <textarea
            id={id}
            name="content"
            rows={5}
            required
            maxLength={limits.content.maxLength}
            defaultValue={previewOf(message)}
          />
        )}
      </Field>
    </Confirm>
  );
}
