import type { Channel, Message, SubKey, User } from "../wire";
import { Refusal } from "./refuse";

/** A user as the fake keeps it: one who is deleted and created again is another `person`. */
export interface StoredUser extends User {
  readonly person: number;
}

export interface Entry {
  readonly userId: string;
  readonly joinedAt: number;
}

export interface StoredChannel extends Channel {
  readonly order: number;
  readonly members: Map<string, Entry>;
  readonly managers: Map<string, Entry>;
  /** Every person who ever took part. */
  readonly everMembers: Set<number>;
  everManaged: boolean;
  readonly messages: Message[];
}

/** All that the fake service knows. */
export class World {
  readonly users = new Map<string, StoredUser>();
  readonly channels = new Map<string, StoredChannel>();
  readonly keys = new Map<string, SubKey>();
  #count = 0;

  /** A number that no other thing has. */
  count(): number {
    return ++this.#count;
  }

  requireUser(id: string): StoredUser {
    const user = this.users.get(id);
    if (!user) throw new Refusal("user_not_found", `There is no user ${id}.`);
    return user;
  }

  requireChannel(id: string): StoredChannel {
    const channel = this.channels.get(id);
    if (!channel) throw new Refusal("channel_not_found", `There is no channel ${id}.`);
    return channel;
  }
}

export function presentUser({ person: _, ...user }: StoredUser): User {
  return withoutEmptyPicture(user);
}

export function presentChannel(channel: StoredChannel): Channel {
  const {
    order: _o,
    members: _m,
    managers: _g,
    everMembers: _e,
    everManaged: _d,
    messages: _s,
    ...rest
  } = channel;
  return withoutEmptyPicture(rest);
}

function withoutEmptyPicture<Pictured extends { profile_url?: string }>(thing: Pictured): Pictured {
  const copy = structuredClone(thing);
  if (copy.profile_url === "") delete copy.profile_url;
  return copy;
}
