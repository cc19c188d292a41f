import { NotFoundError } from "@madang/client";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { Initial } from "@/chat/conversation";
import { connect } from "../../server/chat";
import { readSession } from "../../server/session";
import { ChatPage } from "../chat-page";

interface Params {
  readonly params: Promise<{ readonly path?: readonly string[] }>;
}

/** The first page is rendered here: the inbox, and the newest messages of the conversation in the address. */
export default async function Page({ params }: Params) {
  const userId = await readSession();
  if (userId === undefined) return null;
  const [channelId] = (await params).path ?? [];
  const channels = await connect().users.channels(userId, { pageSize: 30, members: true }).firstPage();
  const messages = channelId === undefined ? undefined : await readMessages(channelId, userId);
  const accepted = (await headers()).get("accept-language") ?? "";
  return (
    <ChatPage
      initial={{ channels: toPlain(channels), channelId, messages } satisfies Initial}
      languages={accepted.split(",")}
    />
  );
}

async function readMessages(channelId: string, userId: string) {
  const chat = connect();
  // The API key may read every channel: ask first whether this person may.
  const members = await chat.channels.members.list(channelId).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
  if (!members.some(({ user_id }) => user_id === userId)) notFound();
  return toPlain(await chat.messages.list(channelId, { pageSize: 50 }).firstPage());
}

/** What a component of the browser can be given. */
const toPlain = <Item,>({
  items,
  nextCursor,
}: {
  items: readonly Item[];
  nextCursor?: string | undefined;
}) => ({
  items,
  nextCursor,
});
