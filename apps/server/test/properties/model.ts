/** What the interface promises, as plainly as it can be written: no database, no time, no limits of size. */
interface User {
  readonly id: string;
  name: string;
  meta: Record<string, string>;
}

interface Channel {
  name: string;
  isFrozen: boolean;
  readonly members: User[];
  readonly managers: User[];
  readonly messages: { readonly sender: User; readonly content: string }[];
  /** Everybody who ever took part, as the person they were: an id that is given again is somebody else. */
  readonly participants: Set<User>;
  hadManager: boolean;
}

export interface Answer {
  readonly status: number;
  /** What of the body is compared; nothing where only the status is. */
  readonly seen?: unknown;
}

const refuse = (status: number, code: string): Answer => ({ status, seen: code });
const done: Answer = { status: 200 };

export class Model {
  readonly #users: Map<string, User>;
  readonly #channels: Map<string, Channel & { id: string }>;

  constructor(users = new Map<string, User>(), channels = new Map<string, Channel & { id: string }>()) {
    this.#users = users;
    this.#channels = channels;
  }

  /** Another model in the same state, which goes its own way from here. */
  copy(): Model {
    const copies = new Map<User, User>();
    const copyOf = (user: User) => {
      const copied = copies.get(user) ?? { ...user };
      copies.set(user, copied);
      return copied;
    };
    const users = [...this.#users].map(([id, user]) => [id, copyOf(user)] as const);
    const channels = [...this.#channels].map(([id, channel]) => {
      const members = channel.members.map(copyOf);
      const managers = channel.managers.map(copyOf);
      const messages = channel.messages.map((message) => ({ ...message, sender: copyOf(message.sender) }));
      const participants = new Set([...channel.participants].map(copyOf));
      return [id, { ...channel, members, managers, messages, participants }] as const;
    });
    return new Model(new Map(users), new Map(channels));
  }

  /** The same text for states that respond alike. Users whose id was given again are marked. */
  describe(): string {
    const nameOf = (user: User) => (this.#users.get(user.id) === user ? user.id : `former ${user.id}`);
    const channels = [...this.#channels.values()].map((channel) => {
      const { id, isFrozen, members, managers, participants, hadManager } = channel;
      const people = [members, managers, [...participants]].map((list) => list.map(nameOf));
      return [id, isFrozen, hadManager, people];
    });
    return JSON.stringify([[...this.#users.values()], channels]);
  }

  createUser(id: string, name: string): Answer {
    if (this.#users.has(id)) return refuse(409, "user_exists");
    this.#users.set(id, { id, name, meta: {} });
    return { status: 201, seen: { name, meta: {} } };
  }

  getUser(id: string): Answer {
    return this.#withUser(id, ({ name, meta }) => ({ status: 200, seen: { name, meta: { ...meta } } }));
  }

  updateUser(id: string, name: string): Answer {
    return this.#withUser(id, (user) => {
      user.name = name;
      return { status: 200, seen: { name, meta: { ...user.meta } } };
    });
  }

  mergeMeta(id: string, pairs: Record<string, string>): Answer {
    return this.#withUser(id, (user) => {
      const merged = { ...user.meta, ...pairs };
      if (Object.keys(merged).length > 10) return refuse(409, "meta_limit_exceeded");
      user.meta = merged;
      return { status: 200, seen: { name: user.name, meta: merged } };
    });
  }

  deleteMeta(id: string, keys: readonly string[]): Answer {
    return this.#withUser(id, (user) => {
      user.meta = Object.fromEntries(Object.entries(user.meta).filter(([key]) => !keys.includes(key)));
      return { status: 200, seen: { name: user.name, meta: user.meta } };
    });
  }

  deleteUser(id: string): Answer {
    return this.#withUser(id, (user) => {
      this.#users.delete(id);
      for (const { members, managers } of this.#channels.values()) {
        drop(members, user);
        drop(managers, user);
      }
      return done;
    });
  }

  listUsers(): Answer {
    return { status: 200, seen: [...this.#users.keys()].reverse() };
  }

  createChannel(id: string, memberIds: readonly string[], isReusing: boolean): Answer {
    const ids = [...new Set(memberIds)];
    const members = ids.flatMap((each) => this.#users.get(each) ?? []);
    const isPair = isReusing && ids.length === 2;
    const known = isPair && members.length === 2 ? this.#findPair(members) : undefined;
    if (known !== undefined) return { status: 201, seen: { id: known.id, members: idsOf(known.members) } };
    if (members.length < ids.length) return refuse(404, "user_not_found");
    if (this.#channels.has(id)) return refuse(409, "channel_exists");
    const participants = new Set(members);
    const made = {
      id,
      name: id,
      isFrozen: false,
      members,
      managers: [],
      messages: [],
      participants,
      hadManager: false,
    };
    this.#channels.set(id, made);
    return { status: 201, seen: { id, members: idsOf(members) } };
  }

  getChannel(id: string): Answer {
    return this.#withChannel(id, ({ isFrozen, messages }) => ({
      status: 200,
      seen: { freeze: isFrozen, total: messages.length },
    }));
  }

  freeze(id: string, isFrozen: boolean): Answer {
    return this.#withChannel(id, (channel) => {
      channel.isFrozen = isFrozen;
      return { status: 200, seen: { freeze: isFrozen, total: channel.messages.length } };
    });
  }

  deleteChannel(id: string): Answer {
    return this.#withChannel(id, () => {
      this.#channels.delete(id);
      return done;
    });
  }

  join(id: string, userId: string): Answer {
    return this.#withBoth(id, userId, (channel, user) => {
      if (!channel.members.includes(user)) channel.members.push(user);
      channel.participants.add(user);
      return done;
    });
  }

  leave(id: string, userId: string): Answer {
    return this.#withBoth(id, userId, (channel, user) => {
      drop(channel.members, user);
      return done;
    });
  }

  addManager(id: string, userId: string): Answer {
    return this.#withBoth(id, userId, (channel, user) => {
      if (!channel.managers.includes(user)) channel.managers.push(user);
      channel.hadManager = true;
      return done;
    });
  }

  removeManager(id: string, userId: string): Answer {
    return this.#withBoth(id, userId, (channel, user) =>
      drop(channel.managers, user) ? done : refuse(404, "manager_not_found"),
    );
  }

  list(id: string, what: "members" | "managers"): Answer {
    return this.#withChannel(id, (channel) => ({ status: 200, seen: idsOf(channel[what]) }));
  }

  send(id: string, userId: string, content: string): Answer {
    return this.#withBoth(id, userId, (channel, user) => {
      const isManager = channel.managers.includes(user);
      if (!isManager && !channel.members.includes(user)) return refuse(403, "not_a_participant");
      if (!isManager && channel.isFrozen) return refuse(403, "channel_frozen");
      channel.messages.push({ sender: user, content });
      return { status: 201, seen: content };
    });
  }

  export(id: string): Answer {
    return this.#withChannel(id, ({ messages }) => ({
      status: 200,
      seen: messages.toReversed().map(({ sender, content }) => [sender.id, sender.name, content]),
    }));
  }

  #findPair([one, other]: readonly User[]) {
    return [...this.#channels.values()].findLast(
      ({ members, participants, hadManager }) =>
        !hadManager &&
        participants.size === 2 &&
        members.length === 2 &&
        members.every((member) => member === one || member === other),
    );
  }

  #withUser(id: string, work: (user: User) => Answer): Answer {
    const user = this.#users.get(id);
    return user === undefined ? refuse(404, "user_not_found") : work(user);
  }

  #withChannel(id: string, work: (channel: Channel & { id: string }) => Answer): Answer {
    const channel = this.#channels.get(id);
    return channel === undefined ? refuse(404, "channel_not_found") : work(channel);
  }

  #withBoth(id: string, userId: string, work: (channel: Channel, user: User) => Answer): Answer {
    return this.#withChannel(id, (channel) => this.#withUser(userId, (user) => work(channel, user)));
  }
}

function idsOf(users: readonly User[]): string[] {
  return users.map(({ id }) => id);
}

function drop(users: User[], user: User): boolean {
  const index = users.indexOf(user);
  if (index >= 0) users.splice(index, 1);
  return index >= 0;
}
