import type { ChatClient } from "@madang/client";
import { ChatStore, type ChatStoreOptions, Conversation } from "@madang/react/store";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import { chatWith } from "./chat";
import { Gate } from "./gate";
import { startServer, type TestServer } from "./server";

let server: TestServer;
/** The server of the application. */
export let admin: ChatClient;

/** One server for the tests of a file: each test has users and channels of its own. */
export function startSharedServer(): void {
  beforeAll(async () => {
    server = await startServer();
    admin = chatWith(server);
  });
  afterAll(() => server.close());
}

let count = 0;
/** An id that no other test has. */
export const newId = (name: string) => `${name}_${count++}`;

export interface Room {
  readonly channelId: string;
  readonly kim: string;
  readonly park: string;
  /** Sends a text as Park. */
  send(content: string, as?: string): Promise<string>;
}

/** A channel of Kim and Park. */
export async function createRoom(): Promise<Room> {
  const [channelId, kim, park] = [newId("room"), newId("kim"), newId("park")];
  await admin.users.create({ user_id: kim, name: "Kim" });
  await admin.users.create({ user_id: park, name: "Park" });
  await admin.channels.create({ channel_id: channelId, name: "Lunch", members: [kim, park] });
  return {
    channelId,
    kim,
    park,
    async send(content, as = park) {
      return (await admin.messages.send(channelId, { user_id: as, type: "text", content })).message_id;
    },
  };
}

/** Numbered messages of Park, each a second after the one before. */
export async function importMessages(
  { channelId, park }: Room,
  amount: number,
  since = Date.now() - 86_400_000,
) {
  const messages = Array.from({ length: amount }, (_, index) => ({
    user_id: park,
    type: "text" as const,
    content: `${index + 1}`,
    created_at: since + index * 1_000,
  }));
  return admin.imports.messages(channelId, messages);
}

/** What a page may know besides its user. */
type PageOptions = Pick<ChatStoreOptions, "user" | "userId" | "storage" | "send">;

/** A page of a user. It is closed after the test. */
export async function openPage(userId: string, gate = new Gate(), options: PageOptions = {}) {
  const token = () => admin.users.createToken(userId);
  const store = new ChatStore({ url: server.url, token, fetch: gate.fetch, ...options });
  const close = store.connect();
  onTestFinished(close);
  return { store, gate, close };
}

/** A page with a conversation, once its first messages are there. */
export async function openConversation(
  { channelId, kim }: Room,
  {
    as = kim,
    gate = new Gate(),
    around,
    ...options
  }: PageOptions & { as?: string; gate?: Gate; around?: string | number } = {},
) {
  const page = await openPage(as, gate, options);
  const conversation = new Conversation(page.store, channelId);
  const leave = conversation.connect(around);
  onTestFinished(leave);
  await vi.waitFor(() => {
    if (conversation.state.get().state !== "ready") throw new Error("It is not ready.");
  }, waiting);
  return { ...page, conversation, leave };
}

/** How long a test waits for what must come: the machine may be busy. */
export const waiting = { timeout: 30_000, interval: 10 };

export const textsOf = (conversation: Conversation): string[] =>
  conversation.state
    .get()
    .messages.map(({ message, status, isDeleted }) =>
      [
        isDeleted ? "deleted" : message.type === "file" ? message.file.name : message.content,
        status === "sent" ? "" : ` (${status})`,
      ].join(""),
    );
