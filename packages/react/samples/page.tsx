import { ChatProvider, useConversation, useScroll } from "@madang/react";

const getToken = () => fetch("/chat-token", { method: "POST" }).then((response) => response.json());

export const Page = () => (
  <ChatProvider url="https://chat.example.com" token={getToken}>
    <Lunch />
  </ChatProvider>
);

function Lunch() {
  const conversation = useConversation("lunch_01");
  const { ref, onScroll } = useScroll<HTMLOListElement>(conversation, conversation.markRead);
  return (
    <>
      <ol ref={ref} onScroll={onScroll}>
        {conversation.messages.map(({ key, message, status }) => (
          <li key={key} data-message={key}>
            {message.type === "text" && message.content} {status === "failed" && "(not sent)"}
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => conversation.send({ content: "See you at noon" })}>
        Send
      </button>
    </>
  );
}
