import type { ConversationView } from "@madang/react";
import type { Task } from "./conversation";
import { previewOf, senderOf } from "./format";
import { Icon } from "./icons";
import { useTexts } from "./texts";

/** Who types. */
export function TypingLine({ conversation: { typing } }: { conversation: ConversationView }) {
  const texts = useTexts();
  return (
    <p className="chat-typing" role="status">
      {typing.length > 0 && (
        <>
          <i className="chat-dots" />
          {texts.typing(typing.map(({ name }) => name))}
        </>
      )}
    </p>
  );
}

/** What is answered or edited. */
export function TaskBar({ task: { kind, shown }, onCancel }: { task: Task; onCancel: () => void }) {
  const texts = useTexts();
  return (
    <div className="chat-task">
      <Icon name={kind} />
      <div className="chat-quote">
        <b className="chat-clip">
          {kind === "edit" ? texts.editing : texts.replyTo(senderOf(shown.message)?.name ?? "")}
        </b>
        <span className="chat-clip">{previewOf(shown.message, texts)}</span>
      </div>
      <button type="button" className="chat-round" aria-label={texts.cancel} onClick={onCancel}>
        <Icon name="close" />
      </button>
    </div>
  );
}
