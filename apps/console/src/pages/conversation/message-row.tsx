import type { Attachment, Message, MessagePart, SystemMessage, TextMessage } from "@madang/client";
import type { StoredMessage } from "@madang/react/store";
import { memo, type PropsWithChildren, useState } from "react";
import { Link } from "wouter";
import { chat } from "../../api/chat";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button, IconButton } from "../../ui/button";
import { showError } from "../../ui/notice";
import { Avatar } from "../../ui/texts/avatar";
import { Icon } from "../../ui/texts/icon";
import { IdText } from "../../ui/texts/id-text";
import { Time } from "../../ui/texts/time";
import { Name, OutsideLink, UserText } from "../../ui/texts/user-text";
import { previewOf } from "./preview";

export type RepliedTo = Message | "deleted";

export interface MessageRowProps {
  readonly channelId: string;
  readonly shown: StoredMessage;
  /** What it replies to. Undefined if it is no reply, or until that is loaded. */
  readonly repliedTo: RepliedTo | undefined;
  /** Whether it stands with the message above it, of the same sender. */
  readonly isContinued: boolean;
  readonly isTarget: boolean;
  readonly onMenu: (shown: StoredMessage, button: HTMLElement) => void;
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { channelId, shown, repliedTo, isContinued, isTarget, onMenu } = props;
  const t = useTexts();
  const { message, isDeleted } = shown;
  const {
    message_id: messageId,
    edited_at: editedAt,
    pinned_at: pinnedAt,
    reply_to: replyTo,
    reactions = [],
  } = message;
  const classes = [
    "message",
    isContinued && "message-continued",
    isTarget && "message-target",
    isDeleted && "message-deleted",
  ];
  const address = (id: string) => `/channels/${channelId}?message=${id}`;
  return (
    <li className={classes.filter(Boolean).join(" ")} data-message={messageId}>
      <div className="message-side">
        {message.type !== "system" && !isContinued && (
          <Avatar id={message.user.user_id} name={message.user.name} />
        )}
      </div>
      <div className="message-body">
        {!isContinued && (
          <div className="message-head">
            {message.type === "system" ? (
              <span className="quiet">{t.system}</span>
            ) : (
              <Link href={`/users/${message.user.user_id}`} className="sender">
                <Name name={message.user.name} id={message.user.user_id} />
              </Link>
            )}
            {message.type !== "system" && (
              <span className="quiet clip wide">
                <IdText id={message.user.user_id} />
              </span>
            )}
          </div>
        )}
        {replyTo !== undefined && (
          <Link href={address(replyTo)} className="reply-to">
            <Icon name="reply" />
            <Quote message={repliedTo} />
          </Link>
        )}
        {isDeleted ? <p className="quiet">{t.deletedMessage}</p> : <Content message={message} />}
        {!isDeleted && reactions.length > 0 && (
          <ul className="reactions" aria-label={t.reactions}>
            {reactions.map(({ reaction, count }) => (
              <li key={reaction}>
                <span className="user-text">{reaction}</span> {count}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="message-marks">
        {pinnedAt !== undefined && (
          <span title={t.pinned}>
            <Icon name="pin" />
            <span className="hidden">{t.pinned}</span>
          </span>
        )}
        {editedAt !== undefined && !isDeleted && <EditedMark ms={editedAt} />}
        <Link href={address(messageId)} className="message-time">
          <Time ms={message.created_at} format="time" />
        </Link>
        {!isDeleted && (
          <IconButton
            icon="more"
            label={t.actionsForMessage(previewOf(message).slice(0, 40))}
            aria-haspopup="menu"
            onClick={(event) => onMenu(shown, event.currentTarget)}
          />
        )}
      </div>
    </li>
  );
});

/** A message in one line, above its reply. */
function Quote({ message }: { message: RepliedTo | undefined }) {
  const t = useTexts();
  if (message === undefined) return t.inReply;
  if (message === "deleted") return t.inReplyToDeleted;
  return (
    <span className="clip">
      <span className="hidden">{t.inReply}</span>{" "}
      {message.type === "system" ? t.system : <Name name={message.user.name} id={message.user.user_id} />}:{" "}
      <span className="user-text">{previewOf(message)}</span>
    </span>
  );
}

function Content({ message }: { message: StoredMessage["message"] }) {
  if (message.type !== "file")
    return (
      <>
        {message.content !== "" && (
          <p className={message.type === "system" ? "message-text message-system" : "message-text"}>
            <UserText text={message.content} />
          </p>
        )}
        <Parts parts={message.parts} />
        {message.attachments?.map((file) => (
          <StoredFile key={file.file_id} {...file} />
        ))}
        <State message={message} />
      </>
    );
  return <FileLine {...message.file} />;
}

type FileLineProps = PropsWithChildren<{ name: string; url: string; type: string; size: number }>;

function FileLine({ name, url, type, size, children }: FileLineProps) {
  const { bytes } = useFormat();
  return (
    <p className="file">
      <Icon name="file" />
      <OutsideLink href={url} text={name} />
      <span className="quiet user-text">
        {type} · {bytes(size)}
      </span>
      {children}
    </p>
  );
}

/** A file that the service stores. An image is loaded when the reader asks for it, and only from the service itself. */
function StoredFile(file: Attachment) {
  const t = useTexts();
  const [isShown, setShown] = useState(false);
  const isImage = file.type.startsWith("image/") && file.type !== "image/svg+xml";
  const isOwn = URL.parse(file.url)?.origin === location.origin;
  return (
    <>
      <FileLine {...file}>
        {isImage && isOwn && !isShown && <Button onClick={() => setShown(true)}>{t.showImage}</Button>}
      </FileLine>
      {isShown && <img className="message-image" src={file.url} alt={file.name} />}
    </>
  );
}

/** Tool calls, cards and reasoning: what they mean is up to the application. */
function Parts({ parts = [] }: { parts: readonly MessagePart[] | undefined }) {
  // Parts have no ids, and an edit replaces all of them.
  return parts.map((part, index) => (
    <details className="part" key={index}>
      <summary className="user-text">{part.type}</summary>
      <pre className="user-text">{JSON.stringify(part, null, 2)}</pre>
    </details>
  ));
}

/** How far a message is that is written while people read. */
function State({ message }: { message: TextMessage | SystemMessage }) {
  const t = useTexts();
  const { state, channel_id: channelId, message_id: messageId } = message;
  if (state === undefined) return null;
  if (state !== "streaming")
    return (
      <p className="message-state">{state === "cancelled" ? t.cancelledMessage : t.interruptedMessage}</p>
    );
  const stop = () => chat.messages.finish(channelId, messageId, { state: "cancelled" }).catch(showError);
  return (
    <p className="message-state message-streaming">
      {t.beingWritten}
      <Button operation="messages.finish" onClick={() => void stop()}>
        {t.stopMessage}
      </Button>
    </p>
  );
}

function EditedMark({ ms }: { ms: number }) {
  const t = useTexts();
  const { dateTime } = useFormat();
  return (
    <span className="quiet" title={dateTime(ms)}>
      {t.edited}
    </span>
  );
}
