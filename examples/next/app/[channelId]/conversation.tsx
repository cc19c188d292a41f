"use client";

import { type InitialMessages, type Message, useConversation, useScroll } from "@madang/react";
import Link from "next/link";
import { useRef } from "react";

interface Props {
  readonly channelId: string;
  /** The newest messages, as the server has read them. */
  readonly initial: InitialMessages;
}

export function Conversation({ channelId, initial }: Props) {
  const conversation = useConversation(channelId, { initial });
  const { messages, state, send, markRead } = conversation;
  const { ref, onScroll } = useScroll<HTMLOListElement>(conversation, markRead);
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    const content = field.current?.value.trim();
    if (!content || field.current === null) return;
    send({ content });
    field.current.value = "";
  };
  return (
    <main>
      <Link href="/">Channels</Link>
      <ol ref={ref} onScroll={onScroll} aria-label="Messages" aria-busy={state === "loading"}>
        {messages.map(({ key, message, status, isDeleted }) => (
          <Row key={key} id={key} message={message} note={isDeleted ? "deleted" : status} />
        ))}
      </ol>
      <form action={submit}>
        <input ref={field} aria-label="Message" autoComplete="off" />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

interface RowProps {
  readonly id: string;
  readonly message: Message;
  readonly note: string;
}

const Row = ({ id, message, note }: RowProps) => (
  <li data-message={id}>
    {message.type !== "system" && <b>{message.user.name}</b>}
    <span>{note === "deleted" ? "Deleted" : message.type === "text" && message.content}</span>
    {["sending", "failed"].includes(note) && <small>{note}</small>}
  </li>
);
