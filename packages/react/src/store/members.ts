import type { ChatClient, Message, Participant } from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import { compareIds } from "./position";
import { createStore, type Store } from "./store";

/** The participants of a channel and their read marks, as events keep them current. */
export class Members {
  readonly #chat: ChatClient;
  readonly #channelId: string;
  readonly #feed: Feed;
  readonly #list = createStore<readonly Participant[]>([]);
  /** What happens while the list is read is applied to it afterwards. */
  #reading: Promise<void> = Promise.resolve();
  /** How many reads wait or run. */
  #reads = 0;

  constructor(chat: ChatClient, channelId: string, feed: Feed) {
    this.#chat = chat;
    this.#channelId = channelId;
    this.#feed = feed;
  }

  /** Oldest participant first. Empty until they are read. */
  get list(): Store<readonly Participant[]> {
    return this.#list;
  }

  /** Reads the participants. A failure leaves the list as it is, and the next connection reads it again. */
  read(signal: AbortSignal): void {
    this.#reads++;
    // After an earlier one: the last response has to be the newest.
    this.#reading = Promise.all([this.#reading, this.#feed.started])
      .then(() => this.#chat.channels.members.list(this.#channelId, { signal }))
      .then((members) => {
        if (!signal.aborted) this.#list.set(members);
      })
      .catch(() => undefined)
      .finally(() => void this.#reads--);
  }

  /** Reads the participants if they are not there, nor on their way. */
  readMissing(signal: AbortSignal): void {
    if (this.#reads === 0 && this.#list.get().length === 0) this.read(signal);
  }

  /** Takes an event of the channel. */
  take(event: FeedEvent): void {
    void this.#reading.then(() => this.#apply(event));
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
