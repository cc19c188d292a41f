import { NotFoundError } from "@madang/client";
import { notFound } from "next/navigation";
import { connect } from "../../server/chat";
import { readSession } from "../../server/session";
import { Conversation } from "./conversation";

export default async function Page({ params }: { readonly params: Promise<{ channelId: string }> }) {
  const { channelId } = await params;
  const userId = await readSession();
  if (userId === undefined) return null;
  const chat = connect();
  // The API key may read every channel: ask first whether this person may.
  const members = await chat.channels.members.list(channelId).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
  if (!members.some(({ user_id }) => user_id === userId)) notFound();
  const { items, nextCursor } = await chat.messages.list(channelId, { pageSize: 50 }).firstPage();
  return <Conversation channelId={channelId} initial={{ items, nextCursor }} />;
}
