import type { Message, User, UserChannel } from "@madang/client";

/** Where a page keeps texts, such as `createIndexedDbStorage()`, or AsyncStorage on a phone. What fails is left out. */
export interface ChatStorage {
  /** The text with this name. */
  readonly get: (name: string) => Promise<string | null | undefined>;
  /** Keeps a text. */
  readonly set: (name: string, text: string) => Promise<unknown>;
  /** Forgets a text. */
  readonly remove: (name: string) => Promise<unknown>;
}

/** What is shown of an inbox, and what it needs to go on. */
export interface SavedInbox {
  readonly channels: readonly UserChannel[];
  readonly cursor: string | undefined;
  readonly end: number | undefined;
  readonly total: number;
}

/** The newest messages of a channel, oldest first, and what they reply to. */
export interface SavedHistory {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly repliedTo: readonly (readonly [id: string, message: Message | null])[];
}

/** With the position in the feed at which it is complete: what came later is to be applied to it. */
export type At<Value> = Value & { readonly at: string };

/** Finds what is kept of the user. Undefined: nothing is. */
export type FindSaved = () => Promise<Saved | undefined>;

interface Start {
  readonly user: User;
  /** Whom the user has blocked. Absent if that was not known. */
  readonly blocked?: readonly User[] | undefined;
  /** The conversations that are kept, the last one that was open first. */
  readonly recent: readonly string[];
}

const maxConversations = 50;

/** What is kept of a user: the beginning of the inbox, and of the conversations that were open last. */
export class Saved {
  readonly #storage: ChatStorage;
  readonly #name: string;
  #start: At<Start> | undefined;
  #recent: readonly string[] = [];
  #isCleared = false;
  /** The texts of a name are kept in their order, and all others at once: a page that is left has little time. */
  readonly #work = new Map<string, Promise<unknown>>();

  private constructor(storage: ChatStorage, name: string) {
    this.#storage = storage;
    this.#name = name;
  }

  /** Reads what is kept under a name. */
  static async open(storage: ChatStorage, name: string): Promise<Saved> {
    const saved = new Saved(storage, name);
    saved.#start = await saved.#read("start");
    saved.#recent = saved.#start?.recent ?? [];
    return saved;
  }

  /** The user, and the position in the feed to continue at, as an earlier start has left them. */
  get start(): Omit<At<Start>, "recent"> | undefined {
    return this.#start;
  }

  inbox(): Promise<At<SavedInbox> | undefined> {
    return this.#read("inbox");
  }

  history(channelId: string): Promise<At<SavedHistory> | undefined> {
    return this.#read(`conversation ${channelId}`);
  }

  keepHistory(channelId: string, history: At<SavedHistory>): void {
    const [kept, dropped] = splitAt(
      [channelId, ...this.#recent.filter((id) => id !== channelId)],
      maxConversations,
    );
    this.#recent = kept;
    for (const id of dropped) this.#remove(`conversation ${id}`);
    this.#write(`conversation ${channelId}`, history);
  }

  forgetHistory(channelId: string): void {
    this.#recent = this.#recent.filter((id) => id !== channelId);
    this.#remove(`conversation ${channelId}`);
  }

  keepInbox(inbox: At<SavedInbox>): void {
    this.#write("inbox", inbox);
  }

  /** Last, since it names the histories. */
  keepStart(start: At<Omit<Start, "recent">>): void {
    this.#write("start", { ...start, recent: this.#recent });
  }

  /** Forgets everything, for good. */
  clear(): Promise<unknown> {
    for (const id of this.#recent) this.#remove(`conversation ${id}`);
    for (const name of ["inbox", "start"]) this.#remove(name);
    this.#isCleared = true;
    this.#start = undefined;
    this.#recent = [];
    return Promise.all(this.#work.values());
  }

  async #read<Value>(name: string): Promise<Value | undefined> {
    try {
      const text = await this.#storage.get(`${this.#name} ${name}`);
      return text ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  }

  #write(name: string, value: unknown): void {
    if (this.#isCleared) return;
    const text = JSON.stringify(value);
    this.#add(name, () => this.#storage.set(`${this.#name} ${name}`, text));
  }

  #remove(name: string): void {
    if (!this.#isCleared) this.#add(name, () => this.#storage.remove(`${this.#name} ${name}`));
  }

  /** Storage may be full, or refuse: a start shows less then. */
  #add(name: string, work: () => Promise<unknown>): void {
    const before = this.#work.get(name);
    const run = async () => work();
    const done: Promise<void> = (before === undefined ? run() : before.then(run))
      .catch(() => undefined)
      .then(() => {
        if (this.#work.get(name) === done) this.#work.delete(name);
      });
    this.#work.set(name, done);
  }
}

const splitAt = <Item>(list: readonly Item[], count: number): [readonly Item[], readonly Item[]] => [
  list.slice(0, count),
  list.slice(count),
];
