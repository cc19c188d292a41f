import { useChat } from "@madang/react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { useNotice, useReport } from "./notices";
import { useTexts } from "./texts";

interface DialogProps {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly hasText?: boolean;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

/** A question, with a text if one is needed. */
export function Dialog({ title, hint, action, isDangerous, hasText, onDone, onClose }: DialogProps) {
  const texts = useTexts();
  const ref = useRef<HTMLDialogElement>(null);
  const hintId = useId();
  const [text, setText] = useState("");
  // Closed before it is removed, it gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="chat-dialog" aria-label={title} aria-describedby={hintId} onCancel={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(text.trim());
          onClose();
        }}
      >
        <h2>{title}</h2>
        <p id={hintId}>{hint}</p>
        {hasText && (
          <textarea
            required
            maxLength={500}
            rows={3}
            aria-label={title}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <footer>
          <button type="button" className="chat-button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button
            type="submit"
            className={isDangerous ? "chat-button chat-danger" : "chat-button chat-primary"}
          >
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

interface ReportDialogProps {
  /** What moderators should look at: a conversation, and a message or a person in it. */
  readonly about: {
    readonly channel_id: string;
    readonly message_id?: string;
    readonly reported_user_id?: string;
  };
  readonly onClose: () => void;
}

/** Asks why, and sends a report. */
export function ReportDialog({ about, onClose }: ReportDialogProps) {
  const texts = useTexts();
  const chat = useChat();
  const report = useReport();
  const notify = useNotice();
  return (
    <Dialog
      title={texts.reportTitle}
      hint={texts.reportHint}
      action={texts.report}
      hasText
      onDone={(reason) =>
        void chat.reports.create({ ...about, reason }).then(() => notify(texts.reported), report)
      }
      onClose={onClose}
    />
  );
}
