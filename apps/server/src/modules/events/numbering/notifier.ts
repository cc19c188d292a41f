import type { Logger } from "pino";
import type { Db } from "../../../db/db";
import { runAsService } from "../../../turns/client";
import { notifyProcesses } from "./number-store";

/**
 * The topics of notifications to all processes, the sender included. While an update runs, there are processes of two versions: a topic whose
 * messages change gets another name.
 */
type LiveTopic = "append" | "signal-event" | "presence";

/** PostgreSQL accepts less than 8,000 bytes. */
const maxPayloadBytes = 7_900;
/** What is sent within this time shares notifications and one transaction: PostgreSQL commits those with a notification one by one. */
const pauseMs = 20;
/** While the database does not respond. What is sent then is lost. */
const maxWaiting = 10_000;

/** Sends short messages to all processes. They are stored nowhere, and may be lost. */
export class Notifier {
  readonly #db: Db;
  readonly #logger: Pick<Logger, "warn">;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;
  #isClosed = false;

  constructor(db: Db, logger: Pick<Logger, "warn">) {
    this.#db = db;
    this.#logger = logger;
  }

  send(topic: LiveTopic, message: unknown): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(JSON.stringify([topic, message]));
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isSending || this.#isClosed) return;
    this.#timer ??= setTimeout(() => void runAsService(() => this.#sendAll()), pauseMs);
  }

  async #sendAll(): Promise<void> {
    this.#timer = undefined;
    this.#isSending = true;
    const messages = this.#waiting;
    this.#waiting = [];
    try {
      await notifyProcesses(this.#db, pack(messages));
    } catch (error) {
      this.#logger.warn(
        { err: error },
        `${messages.length} signals, appends and changes of presence were not announced`,
      );
    }
    this.#isSending = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** Returns a function that reads notifications, and passes each message to what handles its topic. */
export const readNotifications =
  (onMessage: Readonly<Record<LiveTopic, (message: unknown) => void>>) =>
  (payload: string): void => {
    for (const [topic, message] of JSON.parse(payload)) {
      // Another version of the server may send other topics.
      if (Object.hasOwn(onMessage, topic)) onMessage[topic as LiveTopic](message);
    }
  };

/** Messages as JSON arrays, as few as possible. */
function pack(messages: readonly string[]): string[] {
  const payloads: string[] = [];
  let payload = "";
  for (const message of messages) {
    if (payload !== "" && Buffer.byteLength(payload) + Buffer.byteLength(message) + 3 > maxPayloadBytes) {
      payloads.push(`[${payload}]`);
      payload = "";
    }
    payload += payload === "" ? message : `,${message}`;
  }
  return payload === "" ? payloads : [...payloads, `[${payload}]`];
}
