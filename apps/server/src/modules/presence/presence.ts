import type { Logger } from "pino";
import type { Db } from "../../db/db";
import type { ListenerPresence, Watching } from "../events/live/listener-presence";
import type { LiveFeed } from "../events/live/live-feed";
import type { Notifier } from "../events/numbering/notifier";
import { OnlineUsers } from "./online-users";
import { Watchers } from "./watchers";

interface PresenceDeps {
  readonly db: Db;
  readonly notifier: Pick<Notifier, "send">;
  readonly liveFeed: Pick<LiveFeed, "follow">;
  readonly processId: string;
  /** Whether it is stored and shown when users were last online. */
  readonly hasLastSeen: boolean;
  readonly logger: Pick<Logger, "warn">;
}

/** As many ids as fit into a notification. */
const idsPerMessage = 90;

/** Who is online at this process, and the clients of this process that get the presence of others. */
export class Presence implements ListenerPresence {
  readonly hasLastSeen: boolean;
  readonly #online: OnlineUsers;
  readonly #watchers: Watchers;

  constructor({ notifier, hasLastSeen, ...deps }: PresenceDeps) {
    this.hasLastSeen = hasLastSeen;
    this.#watchers = new Watchers({ ...deps, showsLastSeen: hasLastSeen });
    this.#online = new OnlineUsers({
      ...deps,
      storesLastSeen: hasLastSeen,
      announce(userIds) {
        for (let start = 0; start < userIds.length; start += idsPerMessage)
          notifier.send("presence", userIds.slice(start, start + idsPerMessage));
      },
      isWatched: () => this.#watchers.size > 0,
    });
  }

  /** How many users are online at this process. */
  get size(): number {
    return this.#online.size;
  }

  enter(user: Parameters<ListenerPresence["enter"]>[0]): () => void {
    return this.#online.enter(user);
  }

  watch(watching: Watching): () => void {
    return this.#watchers.add(watching);
  }

  /** Handles the announcement of a process. */
  receive(sent: unknown): void {
    // The topic has only messages of `announce`.
    this.#watchers.note(sent as readonly string[]);
  }

  close(): Promise<void> {
    return this.#online.close();
  }
}
