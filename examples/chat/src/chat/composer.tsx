import { type ConversationView, type UserChannel, useMe, useSecondsUntil } from "@madang/react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { TaskBar, TypingLine } from "./composer-bars";
import { ComposerFiles, useFiles } from "./composer-files";
import type { Task } from "./conversation";
import { readDraft, writeDraft } from "./drafts";
import { formatWait } from "./format";
import { Icon } from "./icons";
import { Mentions, useMentions } from "./mentions";
import { useSubmit } from "./submit";
import { useTexts } from "./texts";

interface ComposerProps {
  readonly conversation: ConversationView;
  readonly channelId: string;
  readonly channel: UserChannel | undefined;
  readonly task: Task | undefined;
  readonly onTask: (task: Task | undefined) => void;
  /** Files that were dropped on the conversation. */
  readonly dropped: readonly File[];
  readonly onTaken: () => void;
}

/** Where a message is written, answered or edited. What is written survives a reload. */
export function Composer({
  conversation,
  channelId,
  channel,
  task,
  onTask,
  dropped,
  onTaken,
}: ComposerProps) {
  const { setTyping, members, messages } = conversation;
  const texts = useTexts();
  const userId = useMe()?.user_id;
  const submitText = useSubmit(conversation);
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const { files, setFiles, addFiles } = useFiles(dropped, onTaken);
  const mentions = useMentions(text, setText, members, input);
  const isEditing = task?.kind === "edit";
  const seconds = useSecondsUntil(isEditing ? undefined : conversation.slowModeUntil);
  const wait = formatWait(seconds);
  const isReady = seconds === 0 && (text.trim() !== "" || files.length > 0);

  useEffect(() => {
    if (userId) setText((current) => current || readDraft(userId, channelId));
  }, [userId, channelId]);
  useEffect(() => {
    if (userId && !isEditing) writeDraft(userId, channelId, text);
  }, [userId, isEditing, channelId, text]);
  // Before the next key.
  useLayoutEffect(() => {
    if (task?.kind === "edit") setText(task.shown.message.type === "text" ? task.shown.message.content : "");
    if (task !== undefined) input.current?.focus();
  }, [task]);
  // With a keyboard, one opens a conversation in order to write.
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) input.current?.focus();
  }, []);

  function end() {
    setText(isEditing ? readDraft(userId, channelId) : "");
    onTask(undefined);
  }

  function submit() {
    if (!isReady) return;
    submitText(task, text.trim(), files);
    if (!isEditing) setFiles([]);
    end();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // In Korean, Enter may end a syllable instead.
    if (event.nativeEvent.isComposing || mentions.onKeyDown(event)) return;
    if (event.key === "Enter" && !event.shiftKey && matchMedia("(hover: hover)").matches) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape" && task) end();
    else if (event.key === "ArrowUp" && text === "" && task === undefined) {
      const last = messages.findLast((shown) => shown.isOwn && shown.status === "sent" && !shown.isDeleted);
      if (last?.message.type !== "text") return;
      event.preventDefault();
      onTask({ kind: "edit", shown: last });
    }
  }

  function onPaste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    addFiles([...event.clipboardData.files]);
  }

  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TypingLine conversation={conversation} />
      {task && <TaskBar task={task} onCancel={end} />}
      <ComposerFiles files={files} onChange={setFiles} />
      <Mentions {...mentions} />
      <div className="chat-write">
        {!isEditing && (
          <label className="chat-round" title={texts.attach}>
            <Icon name="attach" />
            <input
              type="file"
              multiple
              className="chat-hidden"
              aria-label={texts.attach}
              onChange={(event) => {
                addFiles([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
          </label>
        )}
        <textarea
          ref={input}
          rows={1}
          dir="auto"
          aria-label={texts.message}
          placeholder={channel?.freeze ? texts.frozen : seconds > 0 ? texts.wait(wait) : texts.message}
          value={text}
          {...mentions.field}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value !== "") setTyping(true);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button
          type="submit"
          className="chat-send"
          aria-label={seconds > 0 ? texts.wait(wait) : isEditing ? texts.save : texts.send}
          disabled={!isReady}
        >
          {seconds > 0 ? wait : <Icon name={isEditing ? "check" : "send"} size={22} />}
        </button>
      </div>
    </form>
  );
}
