import type { ServerResponse } from "node:http";
import type { ChatClient, ReceivedEvent } from "@madang/client";

/** A browser, and the channels whose events it gets. */
interface Browser {
  readonly userId: string;
  readonly response: ServerResponse;
  readonly channels: Set<string>;
}

/** A browser that leaves so much unread is cut. It connects again and reads the newest messages. */
const maxUnreadBytes = 256 * 1_024;
const heartbeatMs = 10_000;

/** One stream of events in, and to each browser the events of the channels of its user. */
export class Relay {
  readonly #chat: ChatClient;
  readonly #browsers = new Set<Browser>();

  constructor(chat: ChatClient) {
    this.#chat = chat;
    setInterval(() => this.#broadcast(() => ":\n\n"), heartbeatMs).unref();
  }

  /** Forwards events until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const event of this.#chat.events.listen({ after: "latest", signal })) this.#forward(event);
  }

  /** Connects a browser. It gets events from now on, so it must read what exists after it is connected. */
  async connect(userId: string, response: ServerResponse): Promise<void> {
    const browser: Browser = { userId, response, channels: new Set() };
    this.#browsers.add(browser);
    response.once("close", () => this.#browsers.delete(browser));
    // Before the channels are listed, so that no change of the memberships is missed.
    for await (const { channel_id } of this.#chat.users.channels(userId)) browser.channels.add(channel_id);
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("event: connected\ndata: {}\n\n");
  }

  #forward(event: ReceivedEvent): void {
    if (!("channel_id" in event)) return;
    const { channel_id } = event;
    const text = `data: ${JSON.stringify(event)}\n\n`;
    for (const { userId, channels } of this.#browsers)
      if (event.type === "member.joined" && event.user_id === userId) channels.add(channel_id);
    this.#broadcast(({ channels }) => (channels.has(channel_id) ? text : ""));
    for (const { userId, channels } of this.#browsers)
      if (event.type === "channel.deleted" || (event.type === "member.left" && event.user_id === userId))
        channels.delete(channel_id);
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
