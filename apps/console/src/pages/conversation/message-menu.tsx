import { Menu } from "@base-ui/react/menu";
import type { Operation } from "@madang/client";
import type { StoredMessage } from "@madang/react/store";
import { useTexts } from "../../text/language";
import { MenuItem } from "../../ui/menu";
import { isInForce } from "../../ui/texts/restriction";
import { useMembers } from "../channels/members";

export type MessageActionName = "link" | "edit" | "pin" | "delete" | "json" | "mute" | "unmute" | "ban";

interface MessageMenuProps {
  readonly shown: StoredMessage;
  /** Where the menu opens and the focus returns. */
  readonly button: HTMLElement;
  readonly onAction: (name: MessageActionName) => void;
  readonly onClose: () => void;
}

/** One menu for all messages: each of its own would make long histories slow. */
export function MessageMenu({ shown: { message }, button, onAction, onClose }: MessageMenuProps) {
  const t = useTexts();
  const members = useMembers(message.channel_id);
  const isPinned = message.pinned_at !== undefined;
  const entries: [MessageActionName, string, Operation | undefined, boolean][] = [
    ["link", t.copyLink, undefined, false],
    ["json", t.showJson, undefined, false],
    ["pin", isPinned ? t.unpin : t.pin, isPinned ? "messages.unpin" : "messages.pin", false],
  ];
  if (message.type !== "file" && message.state !== "streaming")
    entries.push(["edit", t.editMessage, "messages.update", false]);
  if (message.type !== "system") {
    const sender = members.data?.find(({ user_id }) => user_id === message.user.user_id);
    entries.push(
      isInForce(sender?.muted_until)
        ? ["unmute", t.unmuteSender, "channels.members.unmute", false]
        : ["mute", t.muteSender, "channels.members.mute", false],
      ["ban", t.banSender, "channels.bans.add", true],
    );
  }
  entries.push(["delete", t.deleteMessage, "messages.delete", true]);
  return (
    <Menu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Menu.Portal>
        <Menu.Positioner className="positioner" anchor={button} align="end" sideOffset={4}>
          <Menu.Popup className="popup" finalFocus={() => button}>
            {entries.map(([name, label, operation, isDanger]) => (
              <MenuItem
                key={name}
                label={label}
                onSelect={() => onAction(name)}
                isDanger={isDanger}
                {...(operation && { operation })}
              />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
