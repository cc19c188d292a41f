import { ChatClient } from "@madang/client";
import { type ChatStorage, ChatStore, type ConversationState, type Store } from "@madang/react/store";

// A page of Kim without React, as each runtime executes it, with what every one of them has.

export interface Place {
  readonly url: string;
  readonly channelId: string;
  readonly kim: { readonly userId: string; readonly token: string };
  readonly park: { readonly userId: string; readonly token: string };
}

/** What is shown at each step. */
export async function runPage({ url, channelId, kim, park }: Place): Promise<string[]> {
  const shown: string[] = [];
  const friend = new ChatClient({ baseUrl: url, token: park.token });
  const sendAsFriend = (content: string) =>
    friend.messages.send(channelId, { user_id: park.userId, type: "text", content });
  const texts = new Map<string, string>();
  const storage = createStorage(texts);
  const open = (fetch?: typeof offline) => {
    const store = new ChatStore({
      url,
      token: kim.token,
      userId: kim.userId,
      storage,
      ...(fetch && { fetch }),
    });
    const conversation = store.conversation(channelId);
    const leave = [store.connect(), store.inbox.connect(), conversation.connect()];
    return {
      store,
      conversation,
      async show(text: string) {
        await until(store.inbox.state, ({ channels }) => channels.length > 0);
        await until(conversation.state, (state) => textOf(state) === text);
        const [line] = store.inbox.state.get().channels;
        shown.push(`${line?.name}: ${textOf(conversation.state.get())}`);
      },
      close: () => {
        for (const end of leave.reverse()) end();
      },
    };
  };

  const first = open();
  first.conversation.send({ content: "Noon?" });
  await first.show("Noon?");
  await until(first.store.connection, ({ state }) => state === "connected");
  await sendAsFriend("Noon!");
  await first.show("Noon?, Noon!");
  first.close();

  await sendAsFriend("Where?");
  const second = open(offline);
  await second.show("Noon?, Noon!");
  second.conversation.send({ content: "Here" });
  await second.show("Noon?, Noon!, Here (sending)");
  while (![...texts.values()].some((text) => text.includes("Here")))
    await new Promise((resolve) => setTimeout(resolve, 10));
  second.close();

  const third = open();
  await third.show("Noon?, Noon!, Where?, Here");
  third.close();
  return shown;
}

/** That of the device. */
const createStorage = (texts: Map<string, string>): ChatStorage => ({
  get: async (name) => texts.get(name),
  set: async (name, text) => texts.set(name, text),
  remove: async (name) => texts.delete(name),
});

async function offline(): Promise<never> {
  throw new TypeError("Network request failed");
}

const textOf = ({ messages }: ConversationState) =>
  messages
    .map(({ message, status }) => {
      const text = message.type === "file" ? message.file.name : message.content;
      return status === "sent" ? text : `${text} (${status})`;
    })
    .join(", ");

/** Waits until a store has a value. */
function until<Value>({ get, subscribe }: Store<Value>, isThere: (value: Value) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isThere(get())) return;
      leave();
      resolve();
    };
    const leave = subscribe(look);
    look();
  });
}
