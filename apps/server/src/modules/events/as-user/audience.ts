import type { Entry } from "../batch";
import { UserChannels } from "./user-channels";

interface Listening {
  readonly channels: UserChannels;
  followers: number;
}

/** The users who follow the feed in this process, and which events each of them sees. */
export class Audience {
  readonly #users = new Map<number, Listening>();
  readonly #byChannel = new Map<number, Set<UserChannels>>();

  /** The channels of a user, until `leave` is called. The followers of one user share them. */
  join(userPk: number): UserChannels {
    const known = this.#users.get(userPk);
    if (known !== undefined) {
      known.followers += 1;
      return known.channels;
    }
    const channels: UserChannels = new UserChannels(userPk, (channelPk, isIn) =>
      this.#change(channels, channelPk, isIn),
    );
    this.#users.set(userPk, { channels, followers: 1 });
    return channels;
  }

  leave(channels: UserChannels): void {
    const listening = this.#users.get(channels.userPk);
    if (listening?.channels !== channels) return;
    listening.followers -= 1;
    if (listening.followers > 0) return;
    this.#users.delete(channels.userPk);
    for (const channelPk of channels.list()) this.#remove(channels, channelPk);
  }

  /** The entries that each user sees, in their order. The channels of the users are then as after the last of them. */
  share(entries: readonly Entry[]): Map<UserChannels, Entry[]> {
    const shared = new Map<UserChannels, Entry[]>();
    if (this.#users.size === 0) return shared;
    for (const entry of entries) {
      const { row } = entry;
      const own = row.userPk === null ? undefined : this.#users.get(row.userPk)?.channels;
      const users = new Set(this.#byChannel.get(row.channelPk));
      if (own !== undefined) users.add(own);
      own?.noteBeginning(row);
      for (const channels of users) {
        if (channels.sees(row)) {
          const seen = shared.get(channels);
          if (seen === undefined) shared.set(channels, [entry]);
          else seen.push(entry);
        }
        channels.noteEnd(row);
      }
    }
    return shared;
  }

  #change(channels: UserChannels, channelPk: number, isIn: boolean): void {
    // Their last follower may have left while they were loaded.
    if (this.#users.get(channels.userPk)?.channels !== channels) return;
    const inChannel = this.#byChannel.get(channelPk);
    if (!isIn) this.#remove(channels, channelPk);
    else if (inChannel === undefined) this.#byChannel.set(channelPk, new Set([channels]));
    else inChannel.add(channels);
  }

  #remove(channels: UserChannels, channelPk: number): void {
    const inChannel = this.#byChannel.get(channelPk);
    inChannel?.delete(channels);
    if (inChannel?.size === 0) this.#byChannel.delete(channelPk);
  }
}
