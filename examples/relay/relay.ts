import type { ServerResponse } from "node:http";
import { type ChatClient, NotFoundError, type ReceivedEvent } from "@madang/client";
import { presentEvent } from "./present.ts";

/** A browser, and for each channel whether its user is a participant. */
interface Browser {
  readonly userId: string;
  readonly response: ServerResponse;
  readonly memberships: Map<string, boolean>;
}

/** A browser that leaves so much unread is cut. It connects again and reads the newest messages. */
const maxUnreadBytes = 256 * 1_024;
const heartbeatMs = 10_000;

/** One stream of events in, and to each browser the events of the channels of its user. */
export class Relay {
  readonly #chat: ChatClient;
  readonly #start: string;
  readonly #browsers = new Set<Browser>();

  private constructor(chat: ChatClient, start: string) {
    this.#chat = chat;
    this.#start = start;
    setInterval(() => this.#broadcast(() => ":\n\n"), heartbeatMs).unref();
  }

  /** The events begin here, so connect browsers afterwards: none of them misses a change of its memberships. */
  static async open(chat: ChatClient): Promise<Relay> {
    const { next } = await chat.events.list({ after: "latest" });
    return new Relay(chat, next);
  }

  /** Forwards events until the signal is aborted, one after the other: browsers get no state after a newer one. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const event of this.#chat.events.listen({ after: this.#start, signal }))
      await this.#forward(event, signal);
  }

  /** Connects a browser. It gets events from now on, so it must read what exists after it is connected. */
  async connect(userId: string, response: ServerResponse): Promise<void> {
    const browser: Browser = { userId, response, memberships: new Map() };
    this.#browsers.add(browser);
    response.once("close", () => this.#browsers.delete(browser));
    const { memberships } = browser;
    // An event that arrives during the list is newer than the list: it stays.
    for await (const { channel_id } of this.#chat.users.channels(userId))
      if (!memberships.has(channel_id)) memberships.set(channel_id, true);
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 1000\nevent: connected\ndata: {}\n\n");
  }

  async #forward(event: ReceivedEvent, signal: AbortSignal): Promise<void> {
    if (!("channel_id" in event)) return;
    const { channel_id } = event;
    for (const { userId, memberships } of this.#browsers)
      if (event.type === "member.joined" && event.user_id === userId) memberships.set(channel_id, true);
    if (event.type === "reaction.added" || event.type === "reaction.removed")
      await this.#forwardReactions(channel_id, event.data.message_id, signal);
    else this.#send(channel_id, presentEvent(event));
    for (const { userId, memberships } of this.#browsers)
      if (event.type === "channel.deleted" || (event.type === "member.left" && event.user_id === userId))
        memberships.set(channel_id, false);
  }

  /**
   * Sends the counts of a message. They are read again for each event: a browser that added 1 by itself would count a reaction
   * twice that was there when it read the message.
   */
  async #forwardReactions(channelId: string, messageId: string, signal: AbortSignal): Promise<void> {
    if (this.#browsersOf(channelId).length === 0) return;
    try {
      const { reactions } = await this.#chat.messages.get(channelId, messageId, {}, { signal });
      this.#send(channelId, { type: "reactions", channel_id: channelId, message_id: messageId, reactions });
    } catch (error) {
      // The next event is that of the deletion.
      if (error instanceof NotFoundError) return;
      // Browsers without the counts connect again, and read everything.
      for (const { response } of this.#browsersOf(channelId)) response.destroy();
    }
  }

  #browsersOf(channelId: string): Browser[] {
    return [...this.#browsers].filter(({ memberships }) => memberships.get(channelId) === true);
  }

  #send(channelId: string, event: object | undefined): void {
    if (event === undefined) return;
    const text = `data: ${JSON.stringify(event)}\n\n`;
    this.#broadcast(({ memberships }) => (memberships.get(channelId) === true ? text : ""));
  }

  #broadcast(textFor: (browser: Browser) => string): void {
    for (const browser of this.#browsers) {
      const text = textFor(browser);
      if (text === "" || !browser.response.headersSent) continue;
      browser.response.write(text);
      if (browser.response.writableLength > maxUnreadBytes) browser.response.destroy();
    }
  }
}
