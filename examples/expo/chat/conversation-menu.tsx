import { type InboxLine, useChat, useMe } from "@madang/react";
import { titleOf } from "./format";
import { Round } from "./icons";
import { Menu, useSheet } from "./menu";
import { useConversationItems } from "./menu-items";
import { useNotice, useReport } from "./notices";
import { Question } from "./question";
import { useTexts } from "./texts";

interface ConversationMenuProps {
  readonly channel: InboxLine;
  /** The other person of a one-to-one channel. */
  readonly partner: NonNullable<InboxLine["members"]>[number] | undefined;
  readonly onLeave: () => void;
}

/** What a person can do with a conversation. */
export function ConversationMenu({ channel, partner, onLeave }: ConversationMenuProps) {
  const texts = useTexts();
  const chat = useChat();
  const me = useMe();
  const sheet = useSheet();
  const report = useReport();
  const openReport = useReportQuestion();
  const { channel_id: channelId } = channel;
  const items = useConversationItems(channel, {
    partner,
    onReport: () =>
      openReport({ channel_id: channelId, ...(partner && { reported_user_id: partner.user_id }) }),
    onLeave: () =>
      sheet.open(
        <Question
          title={texts.leaveQuestion(titleOf(channel, me?.user_id))}
          hint={texts.leaveHint}
          action={texts.leave}
          onDone={() => void chat.channels.members.leave(channelId, me?.user_id ?? "").then(onLeave, report)}
        />,
      ),
  });
  return <Round icon="more" label={texts.options} onPress={() => sheet.open(<Menu items={items} />)} />;
}

/** What moderators should look at: a conversation, and a message or a person in it. */
interface Reported {
  readonly channel_id: string;
  readonly message_id?: string;
  readonly reported_user_id?: string;
}

/** Asks why, and sends a report. */
export function useReportQuestion(): (about: Reported) => void {
  const texts = useTexts();
  const chat = useChat();
  const sheet = useSheet();
  const report = useReport();
  const notify = useNotice();
  return (about) =>
    sheet.open(
      <Question
        title={texts.reportTitle}
        hint={texts.reportHint}
        action={texts.report}
        hasText
        onDone={(reason) =>
          void chat.reports.create({ ...about, reason }).then(() => notify(texts.reported), report)
        }
      />,
    );
}
