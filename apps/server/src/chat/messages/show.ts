import type { Db } from "../../db/db";
import type { ActingUser } from "../../security/acting-user";
import type { Addressed } from "../attachments";
import type { ChatDeps } from "../deps";
import { findOwnReactions } from "./own-reactions-store";
import { presentMessageRow } from "./present";
import type { MessageRow } from "./store";

/** A request that reads messages. */
interface Reading {
  readonly channelId: string;
  /** The user whose own reactions are marked. */
  readonly asUser: string | undefined;
  readonly acting: ActingUser | undefined;
  /** The addresses of attachments are those at which it reached the server. */
  readonly req: Addressed;
}

/** Presents messages of a channel, and marks the reactions of a user. */
export async function showMessages(
  { db, attachments }: { readonly db: Db } & Pick<ChatDeps, "attachments">,
  { channelId, asUser, acting, req }: Reading,
  messages: readonly MessageRow[],
): Promise<ReturnType<typeof presentMessageRow>[]> {
  const isOwn = await findOwnReactions(db, channelId, asUser, messages);
  const urlOf = attachments.addressesFor(req);
  return messages.map((message) => presentMessageRow(channelId, message, { urlOf, viewer: acting, isOwn }));
}
