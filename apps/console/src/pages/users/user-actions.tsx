import type { User, UserToken } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { RenameDialog } from "../../ui/dialogs/rename-dialog";
import { DurationField, untilOf } from "../../ui/texts/restriction";
import { EraseDialog } from "../privacy/erase-dialog";
import { ExportDialog } from "../privacy/export-dialog";

export type UserActionName =
  | "rename"
  | "suspend"
  | "unsuspend"
  | "createToken"
  | "revokeTokens"
  | "export"
  | "delete"
  | "erase";

interface UserActionProps {
  readonly name: UserActionName;
  readonly user: User;
  readonly onClose: () => void;
  /** Gets a token that was created. */
  readonly onToken?: (created: UserToken) => void;
  /** Called when the user does not exist any more. */
  readonly onGone?: () => void;
}

export function UserAction({ name, user, onClose, onToken, onGone }: UserActionProps) {
  const t = useTexts();
  const { user_id: userId } = user;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["users"] });
  const unsuspend = () => chat.users.unsuspend(userId).then(refresh);
  switch (name) {
    case "rename":
      return (
        <RenameDialog
          name={user.name}
          maxLength={limits.userName.maxLength}
          onRename={(name) => chat.users.update(userId, { name }).then(refresh)}
          onClose={onClose}
        />
      );
    case "suspend":
      return (
        <Confirm
          title={t.suspendTitle(user.name)}
          description={t.suspendText}
          action={t.suspend}
          done={t.suspendDone}
          undo={unsuspend}
          hasReason
          onClose={onClose}
          onConfirm={(reason, form) => {
            const until = untilOf(form);
            const suspension = { reason, ...(until !== undefined && { until }) };
            return chat.users.suspend(userId, suspension, { reason }).then(refresh);
          }}
        >
          <DurationField />
        </Confirm>
      );
    case "unsuspend":
      return (
        <Confirm
          title={t.unsuspendTitle(user.name)}
          description={t.unsuspendText}
          action={t.unsuspend}
          isDanger={false}
          onClose={onClose}
          onConfirm={unsuspend}
        />
      );
    case "createToken":
      return (
        <Confirm
          title={t.createTokenTitle(user.name)}
          description={t.createTokenText}
          action={t.createToken}
          hasReason
          isDanger={false}
          onClose={onClose}
          onConfirm={async (reason) => onToken?.(await chat.users.createToken(userId, undefined, { reason }))}
        />
      );
    case "revokeTokens":
      return (
        <Confirm
          title={t.revokeTokensTitle(user.name)}
          description={t.revokeTokensText}
          action={t.revokeTokens}
          done={t.revokeTokensDone}
          hasReason
          onClose={onClose}
          onConfirm={(reason) => chat.users.revokeTokens(userId, { reason })}
        />
      );
    case "export":
      return <ExportDialog userId={userId} onClose={onClose} />;
    case "erase":
      return <EraseDialog userId={userId} onClose={onClose} onDone={() => onGone?.()} />;
    case "delete":
      return (
        <Confirm
          title={t.deleteUserTitle(user.name)}
          description={t.deleteUserText}
          action={t.deleteUser}
          done={t.deleteUserDone}
          hasReason
          onClose={onClose}
          onConfirm={async (reason) => {
            await chat.users.delete(userId, { reason });
            onGone?.();
            await queryClient.invalidateQueries({ queryKey: ["users", "list"] });
          }}
        />
      );
  }
}
