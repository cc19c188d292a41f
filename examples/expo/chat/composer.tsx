import { type ConversationView, type UserChannel, useSecondsUntil } from "@madang/react";
import { useEffect, useRef, useState } from "react";
import { TextInput, type TextInputInstance, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import type { Task } from "./conversation";
import { formatWait, previewOf, senderOf } from "./format";
import { Icon, Round } from "./icons";
import { useIsCovered } from "./menu";
import { useSubmit } from "./submit";
import { useTexts } from "./texts";
import { Label, touch, useColors } from "./theme";

interface ComposerProps {
  readonly conversation: ConversationView;
  readonly channel: UserChannel | undefined;
  readonly task: Task | undefined;
  readonly onTask: (task: Task | undefined) => void;
}

/** Where a message is written, answered or edited. */
export function Composer({ conversation, channel, task, onTask }: ComposerProps) {
  const { setTyping, typing } = conversation;
  const texts = useTexts();
  const colors = useColors();
  const insets = useSafeAreaInsets();
  const submitText = useSubmit(conversation);
  const input = useRef<TextInputInstance>(null);
  const [text, setText] = useState("");
  const isEditing = task?.kind === "edit";
  const seconds = useSecondsUntil(isEditing ? undefined : conversation.slowModeUntil);
  const wait = formatWait(seconds);
  const isReady = seconds === 0 && text.trim() !== "";
  useEffect(() => {
    if (task?.kind === "edit") setText(task.shown.message.type === "text" ? task.shown.message.content : "");
  }, [task]);
  const isCovered = useIsCovered();
  useEffect(() => {
    if (task !== undefined && !isCovered) input.current?.focus();
  }, [task, isCovered]);

  function end() {
    setText("");
    onTask(undefined);
  }

  function submit() {
    submitText(task, text.trim());
    end();
  }

  const names = typing.map(({ name }) => name);
  const hint = channel?.freeze ? texts.frozen : seconds > 0 ? texts.wait(wait) : texts.message;
  return (
    <View
      style={{
        borderTopWidth: 1,
        borderColor: colors.line,
        paddingHorizontal: 8,
        paddingBottom: Math.max(8, insets.bottom),
        backgroundColor: colors.background,
      }}
    >
      <Label
        role="status"
        size={13}
        color={colors.quiet}
        style={{ paddingHorizontal: 12, paddingVertical: 4 }}
      >
        {names.length > 0 ? texts.typing(names) : " "}
      </Label>
      {task && <TaskBar task={task} onCancel={end} />}
      <View style={{ flexDirection: "row", alignItems: "flex-end", gap: 8 }}>
        <TextInput
          ref={input}
          multiline
          aria-label={texts.message}
          placeholder={hint}
          placeholderTextColor={colors.quiet}
          value={text}
          onChangeText={(changed) => {
            setText(changed);
            if (changed !== "") setTyping(true);
          }}
          style={[
            {
              flex: 1,
              minHeight: touch,
              maxHeight: 140,
              paddingHorizontal: 16,
              paddingVertical: 11,
              borderRadius: touch / 2,
              fontSize: 16,
              color: colors.text,
              backgroundColor: colors.stage,
              outlineWidth: 0,
            },
            growing,
          ]}
        />
        <Round
          icon={seconds > 0 ? "clock" : isEditing ? "check" : "send"}
          label={seconds > 0 ? texts.wait(wait) : isEditing ? texts.save : texts.send}
          color={colors.onAccent}
          fill={colors.accent}
          disabled={!isReady}
          onPress={submit}
        />
      </View>
    </View>
  );
}

/** On phones, the field grows with its text. In a browser, it has to be said. */
const growing = { fieldSizing: "content" } as object;

/** What is answered or edited. */
function TaskBar({
  task: { kind, shown },
  onCancel,
}: {
  readonly task: Task;
  readonly onCancel: () => void;
}) {
  const texts = useTexts();
  const colors = useColors();
  return (
    <View style={{ flexDirection: "row", alignItems: "center", gap: 10, paddingStart: 12, paddingBottom: 4 }}>
      <Icon name={kind} color={colors.accentText} />
      <View style={{ flex: 1 }}>
        <Label size={14} isBold color={colors.accentText} numberOfLines={1}>
          {kind === "edit" ? texts.editing : texts.replyTo(senderOf(shown.message)?.name ?? "")}
        </Label>
        <Label size={14} color={colors.quiet} numberOfLines={1}>
          {previewOf(shown.message, texts)}
        </Label>
      </View>
      <Round icon="close" label={texts.cancel} color={colors.quiet} onPress={onCancel} />
    </View>
  );
}
