import type { User } from "@madang/client";
import { chat } from "../../api/chat";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { DurationField, untilOf } from "../../ui/texts/restriction";
import { refreshMembers, unmute } from "./members";

interface MuteDialogProps {
  readonly channelId: string;
  readonly user: Pick<User, "user_id" | "name">;
  readonly onClose: () => void;
}

export function MuteDialog({ channelId, user, onClose }: MuteDialogProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.muteTitle(user.name)}
      description={t.muteText}
      action={t.mute}
      done={t.muteDone}
      undo={() => unmute(channelId, user.user_id)}
      onClose={onClose}
      onConfirm={async (_, form) => {
        await chat.channels.members.mute(channelId, user.user_id, untilOf(form));
        await refreshMembers(channelId);
      }}
    >
      <DurationField />
    </Confirm>
  );
}
