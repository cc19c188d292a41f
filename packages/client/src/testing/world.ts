import type { Channel, MemberEntry, Message, SubKey, User } from "../generated/types";
import { ServiceError } from "./service-error";

/** A user as the fake stores it. A user who is deleted and created again is a different `person`. */
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
  /** Everyone who was ever a participant. */
  readonly everMembers: Set<number>;
  everManaged: boolean;
  readonly messages: Message[];
}

/** The data of the fake service. */
export class World {
  readonly users = new Map<string, StoredUser>();
  readonly channels = new Map<string, StoredChannel>();
  readonly keys = new Map<string, SubKey>();
  #lastNumber = 0;

  /** A number that is used once. */
  nextNumber(): number {
    return ++this.#lastNumber;
  }

  requireUser(id: string): StoredUser {
    const user = this.users.get(id);
    if (!user) throw new ServiceError("user_not_found", `There is no user ${id}.`);
    return user;
  }

  requireChannel(id: string): StoredChannel {
    const channel = this.channels.get(id);
    if (!channel) throw new ServiceError("channel_not_found", `There is no channel ${id}.`);
    return channel;
  }
}

export function presentUser({ person: _, ...user }: StoredUser): User {
  return withoutEmptyUrl(user);
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
  return withoutEmptyUrl(rest);
}

function withoutEmptyUrl<Resource extends { profile_url?: string }>(resource: Resource): Resource {
  const copy = structuredClone(resource);
  if (copy.profile_url === "") delete copy.profile_url;
  return copy;
}

/** The participants or managers of a channel, those who joined first at the beginning. */
export function presentEntries(world: World, entries: ReadonlyMap<string, Entry>): MemberEntry[] {
  return [...entries.values()]
    .sort((one, other) => one.joinedAt - other.joinedAt)
    .map(({ userId, joinedAt }) => ({ ...presentUser(world.requireUser(userId)), joined_at: joinedAt }));
}
