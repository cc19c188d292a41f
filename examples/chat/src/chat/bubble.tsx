import { type Message, type Participant, type ShownMessage, type User, useChat } from "@madang/react";
import type { CSSProperties } from "react";
import { Attachments, isShownImage } from "./attachments";
import type { MessageActions } from "./conversation";
import { formatMoment, formatTime, hueOf, isEmojiOnly, previewOf, senderOf } from "./format";
import { Icon } from "./icons";
import { useReport } from "./notices";
import { RichText } from "./rich-text";
import { useTexts } from "./texts";

interface BubbleProps {
  readonly shown: ShownMessage;
  readonly isRead: boolean;
  readonly members: readonly Participant[];
  readonly actions: MessageActions;
  readonly onJump: (messageId: string) => void;
  /** Who is named above it. */
  readonly name: User | undefined;
}

/** What a message says. */
export function Bubble({ shown, name, isRead, members, actions, onJump }: BubbleProps) {
  const texts = useTexts();
  const chat = useChat();
  const report = useReport();
  const { message, isDeleted, quote, isQuoteBlocked, progress } = shown;
  const text = message.type === "file" ? "" : message.content;
  const files = message.type === "file" ? [{ file_id: "", ...message.file }] : (message.attachments ?? []);
  const isStreaming = message.type !== "file" && message.state === "streaming";
  if (isDeleted)
    return (
      <p className="chat-bubble chat-folded">
        <Icon name="trash" size={16} /> {texts.deleted}
      </p>
    );
  const isPicture = text === "" && quote === undefined && files.length > 0 && files.every(isShownImage);
  const isBare = files.length === 0 && quote === undefined && isEmojiOnly(text);
  return (
    <div className="chat-bubble" data-bare={isBare} data-picture={isPicture}>
      {name && (
        <b className="chat-name" style={{ "--hue": hueOf(name.user_id) } as CSSProperties}>
          {name.name}
        </b>
      )}
      {quote !== undefined && message.reply_to !== undefined && (
        <Quote quote={isQuoteBlocked ? undefined : quote} onJump={() => onJump(message.reply_to ?? "")} />
      )}
      {files.length > 0 && <Attachments files={files} progress={progress} />}
      <div className="chat-text">
        <span className="chat-words" dir="auto">
          <RichText text={text} members={members} mentions={message.mentions} />
          {isStreaming && <i className="chat-caret" />}
        </span>
        <Meta shown={shown} isRead={isRead} />
      </div>
      {isStreaming && (
        <button
          type="button"
          className="chat-button chat-stop"
          onClick={() =>
            chat.messages.finish(actions.channelId, message.message_id, { state: "cancelled" }).catch(report)
          }
        >
          <Icon name="stop" size={16} /> {texts.stop}
        </button>
      )}
    </div>
  );
}

function Quote({ quote, onJump }: { quote: Message | "deleted" | undefined; onJump: () => void }) {
  const texts = useTexts();
  const message = typeof quote === "object" ? quote : undefined;
  const sender = message && senderOf(message);
  const missing = quote === "deleted" ? texts.deletedQuote : texts.blockedMessage;
  const words = message ? previewOf(message, texts) : missing;
  return (
    <blockquote
      className="chat-quote"
      style={{ "--hue": sender ? hueOf(sender.user_id) : 0 } as CSSProperties}
    >
      <button type="button" disabled={message === undefined} onClick={onJump}>
        <i className="chat-hidden">{texts.reply}: </i>
        {sender && (
          <b className="chat-clip" dir="auto">
            {sender.name}
          </b>
        )}
        <span className="chat-clip" dir="auto">
          {words}
        </span>
      </button>
    </blockquote>
  );
}

function Meta({ shown: { status, message, isOwn }, isRead }: Pick<BubbleProps, "shown" | "isRead">) {
  const texts = useTexts();
  const state = message.type === "file" ? undefined : message.state;
  const isSending = status === "sending";
  const label = isSending ? texts.sending : isRead ? texts.read : texts.sent;
  return (
    <span className="chat-meta">
      {state === "cancelled" && <span>{texts.stopped}</span>}
      {state === "interrupted" && <span>{texts.interrupted}</span>}
      {message.edited_at !== undefined && state === undefined && <span>{texts.edited}</span>}
      <time
        dateTime={new Date(message.created_at).toISOString()}
        title={formatMoment(texts, message.created_at)}
      >
        {formatTime(texts, message.created_at)}
      </time>
      {isOwn && status !== "failed" && (
        <>
          <Icon name={isSending ? "clock" : isRead ? "checks" : "check"} size={16} />
          <span className="chat-hidden">{label}</span>
        </>
      )}
    </span>
  );
}
