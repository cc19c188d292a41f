import type { EventType } from "@madang/contract";
import type { Logger } from "pino";
import type { Db } from "../../db/db";
import { runAsService } from "../../turns/client";
import type { Batch } from "../events/batch";
import type { Watching } from "../events/live/listener-presence";
import type { LiveFeed } from "../events/live/live-feed";
import { findLatest } from "../events/store";
import { presentPresence } from "./present";
import { listShared, listStatuses, type SharedPair, type StatusRow } from "./status-store";

interface Watcher extends Watching {
  /** The users who were last reported to it as online. */
  readonly online: Set<string>;
}

interface WatcherDeps {
  readonly db: Db;
  readonly liveFeed: Pick<LiveFeed, "follow">;
  readonly showsLastSeen: boolean;
  readonly logger: Pick<Logger, "warn">;
}

/** Changes that come within this time are read by one statement. */
const pauseMs = 100;
const retryMs = 1_000;
/** How often all statuses are read again: an announcement may be lost. */
const rereadMs = 15_000;
const usersPerRead = 1_000;
/** After a restart, all clients ask at once: no statement takes long. */
const pairsPerRead = 250;

/** The events after which a user may see others, or no longer. */
const types: readonly EventType[] = [
  "member.joined",
  "member.left",
  "manager.added",
  "manager.removed",
  "channel.deleted",
  "block.added",
  "block.removed",
  "user.deleted",
];

/** What has to be read again for a watcher. */
interface PendingRead {
  readonly userIds: Set<string>;
  /** Those of them whose visibility may have changed. */
  readonly changedRights: Set<string>;
}

/**
 * The clients of this process that follow the presence of users. Announcements of processes name the users whose presence to read
 * again, and events of the feed those whose visibility may have changed. Clients get what is then read from the database.
 */
export class Watchers {
  readonly #deps: WatcherDeps;
  readonly #watchers = new Set<Watcher>();
  readonly #byUser = new Map<string, Set<Watcher>>();
  readonly #byViewer = new Map<string, Set<Watcher>>();
  #pending = new Map<Watcher, PendingRead>();
  #timer: NodeJS.Timeout | undefined;
  #reread: NodeJS.Timeout | undefined;
  #isReading = false;
  #unfollow: (() => void) | undefined;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#watchers.size;
  }

  add(watching: Watching): () => void {
    const watcher: Watcher = { ...watching, online: new Set() };
    this.#watchers.add(watcher);
    for (const userId of watcher.userIds) addTo(this.#byUser, userId, watcher);
    if (watcher.viewer !== undefined) addTo(this.#byViewer, watcher.viewer.userId, watcher);
    this.#request(watcher, watcher.userIds, true);
    this.#reread ??= setInterval(() => this.#requestAll(), rereadMs);
    return () => this.#remove(watcher);
  }

  /** The presence of users may have changed. */
  note(userIds: readonly string[]): void {
    for (const userId of userIds)
      for (const watcher of this.#byUser.get(userId) ?? []) this.#request(watcher, [userId], false);
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#pending.delete(watcher);
    for (const userId of watcher.userIds) removeFrom(this.#byUser, userId, watcher);
    if (watcher.viewer !== undefined) removeFrom(this.#byViewer, watcher.viewer.userId, watcher);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#reread);
    this.#reread = undefined;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #requestAll(): void {
    for (const watcher of this.#watchers) this.#request(watcher, watcher.userIds, false);
  }

  #request(watcher: Watcher, userIds: readonly string[], areRightsChanged: boolean): void {
    const entry = this.#pending.get(watcher) ?? { userIds: new Set(), changedRights: new Set() };
    this.#pending.set(watcher, entry);
    for (const userId of userIds) {
      entry.userIds.add(userId);
      if (areRightsChanged) entry.changedRights.add(userId);
    }
    this.#schedule(pauseMs);
  }

  #schedule(delayMs: number): void {
    if (!this.#isReading) this.#timer ??= setTimeout(() => void runAsService(() => this.#read()), delayMs);
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    const pending = this.#pending;
    this.#pending = new Map();
    let delayMs = pauseMs;
    try {
      // First, so that no change after the reads is missed.
      await this.#follow();
      await this.#sendChanges(pending);
    } catch (error) {
      this.#deps.logger.warn({ err: error }, "presence could not be read");
      delayMs = retryMs;
      for (const [watcher, { userIds }] of pending)
        if (this.#watchers.has(watcher)) this.#request(watcher, [...userIds], true);
    }
    this.#isReading = false;
    if (this.#pending.size > 0) this.#schedule(delayMs);
  }

  async #sendChanges(pending: ReadonlyMap<Watcher, PendingRead>): Promise<void> {
    const statuses = await this.#readStatuses(pending);
    const asked = [...pending].flatMap(([watcher, { userIds, changedRights }]) =>
      [...userIds].map((userId) => {
        const status = statuses.get(userId);
        const isOnline = status?.isOnline === true;
        const isSame = isOnline === watcher.online.has(userId) && !(isOnline && changedRights.has(userId));
        return { watcher, userId, status, isSame };
      }),
    );
    const changed = asked.filter(({ isSame }) => !isSame);
    const isVisible = await this.#readRights(changed);
    // A client gets all of its changes by one write.
    const texts = new Map<Watcher, string>();
    for (const { watcher, userId, status } of changed) {
      if (!this.#watchers.has(watcher)) continue;
      const isShown = status !== undefined && isVisible(watcher, status);
      const isOnline = isShown && status.isOnline;
      if (isOnline === watcher.online.has(userId)) continue;
      if (isOnline) watcher.online.add(userId);
      else watcher.online.delete(userId);
      const shown = { userId, isOnline, lastSeenAt: isShown ? status.lastSeenAt : null };
      const event = { type: "presence", data: presentPresence(shown, this.#deps.showsLastSeen) };
      const text = `event: presence\ndata: ${JSON.stringify(event)}\n\n`;
      texts.set(watcher, (texts.get(watcher) ?? "") + text);
    }
    for (const [watcher, text] of texts) watcher.receive(text);
  }

  async #readStatuses(pending: ReadonlyMap<Watcher, PendingRead>): Promise<Map<string, StatusRow>> {
    const userIds = [...new Set([...pending.values()].flatMap((entry) => [...entry.userIds]))];
    const statuses = new Map<string, StatusRow>();
    for (let start = 0; start < userIds.length; start += usersPerRead)
      for (const status of await listStatuses(this.#deps.db, userIds.slice(start, start + usersPerRead)))
        statuses.set(status.userId, status);
    return statuses;
  }

  /** Returns whether a watcher may see a user. */
  async #readRights(
    changed: readonly { readonly watcher: Watcher; readonly status: StatusRow | undefined }[],
  ): Promise<(watcher: Watcher, status: StatusRow) => boolean> {
    const nameOf = (viewerPk: number, userPk: number) => `${viewerPk} ${userPk}`;
    const pairs = new Map(
      changed.flatMap(({ watcher: { viewer }, status }) =>
        viewer === undefined || status === undefined || viewer.userPk === status.userPk
          ? []
          : [
              [
                nameOf(viewer.userPk, status.userPk),
                { viewerPk: viewer.userPk, userPk: status.userPk },
              ] as const,
            ],
      ),
    );
    const left = [...pairs.values()];
    const shared: SharedPair[] = [];
    const { db, logger } = this.#deps;
    // A client gets nothing of whom it may not be able to see, until the next time that all statuses are read. Others do not wait for it.
    const warn = (error: unknown) =>
      logger.warn({ err: error }, "the presence of users in very many channels could not be read");
    while (left.length > 0) shared.push(...(await listShared(db, left.splice(0, pairsPerRead), warn)));
    const visible = new Set(
      shared.filter(({ isBlocked }) => !isBlocked).map(({ viewerPk, userPk }) => nameOf(viewerPk, userPk)),
    );
    return ({ viewer }, { userPk }) =>
      viewer === undefined || viewer.userPk === userPk || visible.has(nameOf(viewer.userPk, userPk));
  }

  /** Follows the events that change what users may see. */
  async #follow(): Promise<void> {
    if (this.#unfollow !== undefined || this.#watchers.size === 0) return;
    const position = await findLatest(this.#deps.db);
    if (this.#watchers.size === 0) return;
    this.#unfollow = this.#deps.liveFeed.follow(
      position,
      { types },
      {
        takeTurn: (read) => read(),
        receive: (batch) => this.#noteRights(batch),
        drained: async () => undefined,
        // The clients end as well, or the next read follows again.
        end: () => {
          this.#unfollow = undefined;
        },
      },
    );
  }

  #noteRights({ entries }: Batch): void {
    for (const { row } of entries) {
      const { userId, members } = row;
      if (userId !== null) {
        for (const watcher of this.#byUser.get(userId) ?? []) this.#request(watcher, [userId], true);
        for (const watcher of this.#byViewer.get(userId) ?? []) this.#request(watcher, watcher.userIds, true);
      }
      if (members === null) continue;
      // Of a channel that was deleted.
      const memberPks = new Set(members);
      for (const watcher of this.#watchers)
        if (watcher.viewer !== undefined && memberPks.has(watcher.viewer.userPk))
          this.#request(watcher, watcher.userIds, true);
    }
  }
}

function addTo(sets: Map<string, Set<Watcher>>, name: string, watcher: Watcher): void {
  const known = sets.get(name);
  if (known === undefined) sets.set(name, new Set([watcher]));
  else known.add(watcher);
}

function removeFrom(sets: Map<string, Set<Watcher>>, name: string, watcher: Watcher): void {
  const known = sets.get(name);
  known?.delete(watcher);
  if (known?.size === 0) sets.delete(name);
}
