import type { StreamedEvent } from "./live-stream";

interface Message {
  readonly content: string;
  readonly append_count?: number;
  readonly state?: string;
}

/**
 * Follows the text of a message as a listener does: it reads the message, and takes the appends that come after what it has read. When
 * it sees a gap, or the message changes, it reads again.
 */
export class TextFollower {
  /** The message as it was last read, with the appends since. Undefined: it is not read yet, or was deleted. */
  #text = "";
  #count: number | undefined;
  #isEnded = false;
  #reading: Promise<void> | undefined;
  #mustReadAgain = false;
  #waiting: { index: number; contents: readonly string[] }[] = [];
  /** The number of reads, of which the first is the one at the beginning. */
  reads = 0;

  constructor(
    readonly messageId: string,
    readonly read: () => Promise<Message | undefined>,
  ) {
    this.readAgain();
  }

  get text(): string {
    return this.#text;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
  }

  receive({ event }: StreamedEvent): void {
    if (!("message_id" in event.data) || event.data.message_id !== this.messageId) return;
    if (event.type === "message.appended") this.#append(event.data);
    else if (event.type.startsWith("message.")) this.readAgain();
  }

  readAgain(): void {
    if (this.#reading !== undefined) {
      this.#mustReadAgain = true;
      return;
    }
    this.#reading = this.#readOnce().finally(() => {
      this.#reading = undefined;
      if (!this.#mustReadAgain) return;
      this.#mustReadAgain = false;
      this.readAgain();
    });
  }

  async #readOnce(): Promise<void> {
    this.reads += 1;
    const message = await this.read();
    if (message === undefined) return;
    this.#text = message.content;
    this.#count = message.append_count;
    this.#isEnded = message.state !== "streaming";
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) this.#append(each);
  }

  #append({ index, contents }: { index: number; contents: readonly string[] }): void {
    if (this.#reading !== undefined) {
      this.#waiting.push({ index, contents });
      return;
    }
    if (this.#isEnded || this.#count === undefined) return;
    if (index > this.#count) {
      this.readAgain();
      return;
    }
    const added = contents.slice(this.#count - index);
    this.#text += added.join("");
    this.#count += added.length;
  }
}
