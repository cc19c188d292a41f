import { type ChatClient, isApiError, type Message, type Participant } from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import { compareIds } from "./position";
import { createStore, type Store } from "./store";
import { once, type Reading, WorkQueue } from "./work-queue";

/** All participants are read together. */
const all = "all";

/** The participants of a channel and their read marks, as events keep them current. */
export class Members {
  readonly #chat: ChatClient;
  readonly #channelId: string;
  readonly #feed: Feed;
  readonly #list = createStore<readonly Participant[]>([]);
  readonly #queue = new WorkQueue((_, reading) => this.#readAll(reading));

  constructor(chat: ChatClient, channelId: string, feed: Feed) {
    this.#chat = chat;
    this.#channelId = channelId;
    this.#feed = feed;
  }

  /** Oldest participant first. Empty until they are read, and for somebody who may not see them. */
  get list(): Store<readonly Participant[]> {
    return this.#list;
  }

  /** Reads the participants, until they are closed. */
  open(): void {
    this.#queue.open();
    this.read();
  }

  /** Reads the participants. What happens meanwhile is applied to them afterwards. */
  read(): void {
    this.#queue.refresh(all);
  }

  /** Reads the participants if that has failed. */
  retry(): void {
    this.#queue.retry();
  }

  /** Takes an event of the channel. */
  take(event: FeedEvent): void {
    void this.#queue.add(() => this.#apply(event));
  }

  /** Nothing is read any more. */
  close(): void {
    this.#queue.close();
  }

  async #readAll({ isCurrent }: Reading): Promise<void> {
    const { signal } = this.#queue;
    await this.#feed.started;
    try {
      const members = await this.#chat.channels.members.list(this.#channelId, { signal, ...once });
      if (isCurrent()) this.#list.set(members);
    } catch (error) {
      if (isCurrent() && isApiError(error) && !error.retryable) this.#list.set([]);
      throw error;
    }
  }

  #apply(event: FeedEvent) {
    const members = this.#list.get();
    switch (event.type) {
      case "member.joined": {
        const { user } = event.data;
        if (user && !members.some(({ user_id }) => user_id === user.user_id))
          this.#list.set([...members, { ...user, joined_at: event.created_at }]);
        return;
      }
      case "member.left":
        return this.#list.set(members.filter(({ user_id }) => user_id !== event.user_id));
      case "member.read": {
        const { read_message_id } = event.data;
        return this.#list.set(
          members.map((member) =>
            member.user_id === event.user_id ? { ...member, read_message_id } : member,
          ),
        );
      }
    }
  }
}

/** The participants who have read a message, without its sender. */
export function readersOf(members: readonly Participant[], message: Message): readonly Participant[] {
  const senderId = message.type === "system" ? undefined : message.user.user_id;
  return members.filter(
    ({ user_id, read_message_id }) =>
      user_id !== senderId &&
      read_message_id !== undefined &&
      compareIds(read_message_id, message.message_id) >= 0,
  );
}
