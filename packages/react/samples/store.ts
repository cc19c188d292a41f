import { ChatStore } from "@madang/react/store";

declare function getToken(): Promise<{ token: string; expires_at: number }>;

const store = new ChatStore({ url: "https://chat.example.com", token: getToken });
const disconnect = store.connect();
const conversation = store.conversation("lunch_01");
const leave = conversation.connect();
conversation.state.subscribe(() => console.log(conversation.state.get().messages.length));
conversation.send({ content: "See you at noon" });

// When the page is left.
leave();
disconnect();
