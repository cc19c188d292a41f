import type { ServerResponse } from "node:http";
import type { ChatClient, ReceivedEvent } from "@madang/client";

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

  /** Forwards events until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const event of this.#chat.events.listen({ after: this.#start, signal })) this.#forward(event);
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

  #forward(event: ReceivedEvent): void {
    if (!("channel_id" in event)) return;
    const { channel_id } = event;
    const text = `data: ${JSON.stringify(event)}\n\n`;
    for (const { userId, memberships } of this.#browsers)
      if (event.type === "member.joined" && event.user_id === userId) memberships.set(channel_id, true);
    this.#broadcast(({ memberships }) => (memberships.get(channel_id) === true ? text : ""));
    for (const { userId, memberships } of this.#browsers)
      if (event.type === "channel.deleted" || (event.type === "member.left" && event.user_id === userId))
        memberships.set(channel_id, false);
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
