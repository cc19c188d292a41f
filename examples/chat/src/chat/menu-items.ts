import { type InboxLine, useBlocks } from "@madang/react";
import type { MenuItem } from "./menu";
import { useReport } from "./notices";
import { useTexts } from "./texts";

const hourMs = 3_600_000;

export const isMuted = ({ preferences: { notify, quiet_until: until } = {} }: InboxLine): boolean =>
  notify === "none" || (until !== undefined && until > Date.now());

/** What a person wants of a conversation: it is shown at once, and taken back if the service rejects it. */
export function useChannelItems(channel: InboxLine): MenuItem[] {
  const texts = useTexts();
  const report = useReport();
  const { preferences: { pinned_at: pinnedAt, archived = false, hidden = false } = {}, setPreferences } =
    channel;
  const isPinned = pinnedAt !== undefined;
  const set = (change: Parameters<typeof setPreferences>[0]) => () =>
    void setPreferences(change).catch(report);
  const mute: MenuItem[] = isMuted(channel)
    ? [{ label: texts.unmute, icon: "bell", onSelect: set({ notify: "all", quiet_until: null }) }]
    : [
        {
          label: texts.muteHour,
          icon: "clock",
          onSelect: () => set({ quiet_until: Date.now() + hourMs })(),
        },
        { label: texts.mute, icon: "mute", onSelect: set({ notify: "none" }) },
      ];
  const back: MenuItem[] = [
    { label: texts.unarchive, icon: "archive", onSelect: set({ archived: false, hidden: false }) },
  ];
  const away: MenuItem[] = [
    { label: texts.archive, icon: "archive", onSelect: set({ archived: true }) },
    { label: texts.hide, icon: "hide", onSelect: set({ hidden: true }) },
  ];
  return [
    { label: isPinned ? texts.unpin : texts.pin, icon: "pin", onSelect: set({ pinned: !isPinned }) },
    ...mute,
    ...(archived || hidden ? back : away),
  ];
}

interface ConversationSteps {
  /** The other person of a one-to-one channel. */
  readonly partner: NonNullable<InboxLine["members"]>[number] | undefined;
  readonly onReport: () => void;
  readonly onLeave: () => void;
}

/** What a person can do with a conversation that is open. One leaves a group, and blocks a person. */
export function useConversationItems(channel: InboxLine, steps: ConversationSteps): MenuItem[] {
  const { partner, onReport, onLeave } = steps;
  const texts = useTexts();
  const report = useReport();
  const channelItems = useChannelItems(channel);
  const { block, unblock, isBlocked } = useBlocks();
  const last = (): MenuItem => {
    if (partner === undefined)
      return { label: texts.leave, icon: "leave", isDangerous: true, onSelect: onLeave };
    const { name } = partner;
    if (isBlocked(partner))
      return {
        label: texts.unblock(name),
        icon: "block",
        onSelect: () => void unblock(partner).catch(report),
      };
    return {
      label: texts.block(name),
      icon: "block",
      isDangerous: true,
      onSelect: () => void block(partner).catch(report),
    };
  };
  return [...channelItems, { label: texts.report, icon: "flag", onSelect: onReport }, last()];
}
