import type { ConversationView } from "@madang/react";
import type { Task } from "./conversation";
import { findMentions } from "./format";
import { codeOf, useNotice, useReport } from "./notices";
import { useTexts } from "./texts";

/** Sends what was written, or changes the message that is edited. */
export function useSubmit({ send, edit, members }: ConversationView) {
  const texts = useTexts();
  const report = useReport();
  const notify = useNotice();
  return (task: Task | undefined, content: string, files: readonly File[] = []): void => {
    if (task?.kind === "edit") {
      edit(task.shown, content).catch((error: unknown) =>
        codeOf(error) === "message_changed" ? notify(texts.changedMeanwhile) : report(error),
      );
      return;
    }
    const mentions = findMentions(content, members);
    send({
      content,
      files,
      ...(task && { reply_to: task.shown.message.message_id }),
      ...(mentions.length > 0 && { mentions }),
    });
  };
}
