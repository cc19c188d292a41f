import type { Message } from "@madang/client";
import type { StoredMessage } from "@madang/react/store";
import { chat } from "../../api/chat";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { JsonDialog } from "../../ui/dialogs/json-dialog";
import { BanDialog } from "../channels/bans";
import { MuteDialog } from "../channels/mute-dialog";
import { EditDialog } from "./edit-dialog";
import type { MessageActionName } from "./message-menu";
import { previewOf } from "./preview";

export interface MessageActionProps {
  readonly name: Exclude<MessageActionName, "link" | "pin" | "unmute">;
  readonly shown: StoredMessage;
  readonly onClose: () => void;
}

/** The dialogs of a message. What they change comes back as an event. */
export function MessageAction({ name, shown: { message }, onClose }: MessageActionProps) {
  const t = useTexts();
  const { channel_id: channelId } = message;
  switch (name) {
    case "json":
      return <JsonDialog title={t.message} value={message} onClose={onClose} />;
    case "ban":
      return message.type === "system" ? null : (
        <BanDialog channelId={channelId} user={message.user} onClose={onClose} />
      );
    case "mute":
      return message.type === "system" ? null : (
        <MuteDialog channelId={channelId} user={message.user} onClose={onClose} />
      );
    case "edit":
      return <EditDialog message={message} onClose={onClose} />;
    case "delete":
      return <DeleteMessageDialog message={message} onClose={onClose} />;
  }
}

interface DeleteMessageDialogProps {
  readonly message: Message;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function DeleteMessageDialog({ message, onClose, onDone }: DeleteMessageDialogProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.deleteMessage}
      description={t.deleteMessageText}
      action={t.deleteMessage}
      done={t.deleteMessageDone}
      hasReason
      onClose={onClose}
      onConfirm={async (reason) => {
        await chat.messages.delete(message.channel_id, message.message_id, { reason });
        onDone?.();
      }}
    >
      <blockquote className="quoted user-text">{previewOf(message).slice(0, 400)}</blockquote>
    </Confirm>
  );
}
