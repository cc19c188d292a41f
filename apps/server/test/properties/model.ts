/** A simple model of the interface in memory, without time and size limits. */
interface User {
  readonly id: string;
  name: string;
  meta: Record<string, string>;
  isSuspended: boolean;
}

interface Channel {
  name: string;
  isFrozen: boolean;
  readonly members: User[];
  readonly managers: User[];
  /** The oldest first, without deleted ones. */
  readonly messages: Message[];
  /** The number of messages ever sent. */
  total: number;
  /** What each participant has read. */
  readonly marks: Map<User, Mark>;
  /** All participants ever. A new user with the id of a deleted one is another participant. */
  readonly participants: Set<User>;
  /** Also users who have left. */
  readonly muted: Set<User>;
  readonly banned: Set<User>;
  hadManager: boolean;
}

interface Message {
  readonly sender: User;
  readonly time: number;
  content: string;
}

interface Mark {
  readonly joinedAt: number;
  /** The time of the newest message that was read, or of joining. */
  readUntil: number;
}

export interface ModelResponse {
  readonly status: number;
  /** The part of the body that is compared. Absent if only the status is compared. */
  readonly body?: unknown;
}

export interface UserToUpsert {
  readonly user_id: string;
  readonly name: string;
  readonly meta: Record<string, string>;
}

const sorted = ({ name, meta }: User) => [name, Object.entries(meta).toSorted()];

const error = (status: number, code: string): ModelResponse => ({ status, body: code });
const ok: ModelResponse = { status: 200 };

export class Model {
  readonly #users: Map<string, User>;
  readonly #channels: Map<string, Channel & { id: string }>;
  /** Each message, and each user who joins, gets a time of its own. */
  #now = 0;

  constructor(users = new Map<string, User>(), channels = new Map<string, Channel & { id: string }>()) {
    this.#users = users;
    this.#channels = channels;
  }

  /** A deep copy of the model. */
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
      const [participants, muted, banned] = [channel.participants, channel.muted, channel.banned].map(
        (set) => new Set([...set].map(copyOf)),
      ) as [Set<User>, Set<User>, Set<User>];
      const marks = new Map([...channel.marks].map(([user, mark]) => [copyOf(user), { ...mark }]));
      return [id, { ...channel, members, managers, messages, participants, muted, banned, marks }] as const;
    });
    const copied = new Model(new Map(users), new Map(channels));
    copied.#now = this.#now;
    return copied;
  }

  /** A key that is equal for states with equal responses. Deleted users whose id is used again are marked. */
  describe(): string {
    const nameOf = (user: User) => (this.#users.get(user.id) === user ? user.id : `former ${user.id}`);
    const channels = [...this.#channels.values()].map((channel) => {
      const { id, isFrozen, members, managers, participants, muted, banned, hadManager } = channel;
      const sets = [participants, muted, banned].map((set) => [...set]);
      const userLists = [members, managers, ...sets].map((list) => list.map(nameOf));
      return [id, isFrozen, hadManager, userLists];
    });
    return JSON.stringify([[...this.#users.values()], channels]);
  }

  createUser(id: string, name: string): ModelResponse {
    if (this.#users.has(id)) return error(409, "user_exists");
    this.#users.set(id, { id, name, meta: {}, isSuspended: false });
    return { status: 201, body: { name, meta: {} } };
  }

  getUser(id: string): ModelResponse {
    return this.#withUser(id, ({ name, meta }) => ({ status: 200, body: { name, meta: { ...meta } } }));
  }

  updateUser(id: string, name: string): ModelResponse {
    return this.#withUser(id, (user) => {
      user.name = name;
      return { status: 200, body: { name, meta: { ...user.meta } } };
    });
  }

  mergeMeta(id: string, pairs: Record<string, string>): ModelResponse {
    return this.#withUser(id, (user) => {
      const merged = { ...user.meta, ...pairs };
      if (Object.keys(merged).length > 10) return error(409, "meta_limit_exceeded");
      user.meta = merged;
      return { status: 200, body: { name: user.name, meta: merged } };
    });
  }

  upsertMany(users: readonly UserToUpsert[]): ModelResponse {
    const isNew = ({ user_id: id }: UserToUpsert) => !this.#users.has(id);
    const created = users.filter(isNew).toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1));
    for (const { user_id: id, name, meta } of created) {
      this.createUser(id, name);
      this.mergeMeta(id, meta);
    }
    const results = users.map((sent) => {
      const { user_id: id, name, meta } = sent;
      const user = this.#users.get(id);
      if (user === undefined || created.includes(sent)) return "created";
      const before = JSON.stringify(sorted(user));
      const merged = this.mergeMeta(id, meta);
      if (merged.status !== 200) return merged.body;
      user.name = name;
      return JSON.stringify(sorted(user)) === before ? "unchanged" : "updated";
    });
    return { status: 200, body: results };
  }

  deleteMeta(id: string, keys: readonly string[]): ModelResponse {
    return this.#withUser(id, (user) => {
      user.meta = Object.fromEntries(Object.entries(user.meta).filter(([key]) => !keys.includes(key)));
      return { status: 200, body: { name: user.name, meta: user.meta } };
    });
  }

  deleteUser(id: string): ModelResponse {
    return this.#withUser(id, (user) => {
      this.#users.delete(id);
      for (const { members, managers } of this.#channels.values()) {
        drop(members, user);
        drop(managers, user);
      }
      return ok;
    });
  }

  listUsers(): ModelResponse {
    return { status: 200, body: [...this.#users.keys()].reverse() };
  }

  createChannel(id: string, memberIds: readonly string[], isReusing: boolean): ModelResponse {
    const ids = [...new Set(memberIds)];
    const members = ids.flatMap((each) => this.#users.get(each) ?? []);
    const isPair = isReusing && ids.length === 2;
    const existing = isPair && members.length === 2 ? this.#findPair(members) : undefined;
    if (existing !== undefined)
      return { status: 201, body: { id: existing.id, members: idsOf(existing.members) } };
    if (members.length < ids.length) return error(404, "user_not_found");
    if (members.some(({ isSuspended }) => isSuspended)) return error(403, "user_suspended");
    if (this.#channels.has(id)) return error(409, "channel_exists");
    const participants = new Set(members);
    const joinedAt = ++this.#now;
    const created = {
      id,
      name: id,
      isFrozen: false,
      members,
      managers: [],
      messages: [],
      total: 0,
      marks: new Map(members.map((member) => [member, { joinedAt, readUntil: joinedAt }])),
      participants,
      muted: new Set<User>(),
      banned: new Set<User>(),
      hadManager: false,
    };
    this.#channels.set(id, created);
    return { status: 201, body: { id, members: idsOf(members) } };
  }

  getChannel(id: string): ModelResponse {
    return this.#withChannel(id, ({ isFrozen, total }) => ({
      status: 200,
      body: { freeze: isFrozen, total },
    }));
  }

  freeze(id: string, isFrozen: boolean): ModelResponse {
    return this.#withChannel(id, (channel) => {
      channel.isFrozen = isFrozen;
      return { status: 200, body: { freeze: isFrozen, total: channel.total } };
    });
  }

  deleteChannel(id: string): ModelResponse {
    return this.#withChannel(id, () => {
      this.#channels.delete(id);
      return ok;
    });
  }

  join(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      if (!channel.members.includes(user)) {
        if (user.isSuspended) return error(403, "user_suspended");
        if (channel.banned.has(user)) return error(403, "user_banned");
        channel.members.push(user);
        const joinedAt = ++this.#now;
        channel.marks.set(user, { joinedAt, readUntil: joinedAt });
      }
      channel.participants.add(user);
      return ok;
    });
  }

  addMany(id: string, userIds: readonly string[]): ModelResponse {
    return this.#withChannel(id, ({ members, banned }) => {
      const users = userIds.flatMap((each) => this.#users.get(each) ?? []);
      if (users.length < userIds.length) return error(404, "user_not_found");
      const missing = users.filter((user) => !members.includes(user));
      if (missing.some(({ isSuspended }) => isSuspended)) return error(403, "user_suspended");
      if (missing.some((user) => banned.has(user))) return error(403, "user_banned");
      const already_joined = idsOf(users.filter((user) => members.includes(user)));
      for (const user of missing) this.join(id, user.id);
      return { status: 200, body: { joined: idsOf(missing), already_joined } };
    });
  }

  leave(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      drop(channel.members, user);
      return ok;
    });
  }

  addManager(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      if (channel.banned.has(user)) return error(403, "user_banned");
      if (!channel.managers.includes(user)) channel.managers.push(user);
      channel.hadManager = true;
      return ok;
    });
  }

  removeManager(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) =>
      drop(channel.managers, user) ? ok : error(404, "manager_not_found"),
    );
  }

  mute(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      if (!channel.members.includes(user)) return error(404, "member_not_found");
      channel.muted.add(user);
      return ok;
    });
  }

  unmute(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      channel.muted.delete(user);
      return ok;
    });
  }

  ban(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      channel.banned.add(user);
      drop(channel.members, user);
      drop(channel.managers, user);
      return ok;
    });
  }

  unban(id: string, userId: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      channel.banned.delete(user);
      return ok;
    });
  }

  setSuspended(id: string, isSuspended: boolean): ModelResponse {
    return this.#withUser(id, (user) => {
      user.isSuspended = isSuspended;
      return ok;
    });
  }

  list(id: string, what: "members" | "managers"): ModelResponse {
    return this.#withChannel(id, (channel) => ({ status: 200, body: idsOf(channel[what]) }));
  }

  send(id: string, userId: string, content: string): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      const isManager = channel.managers.includes(user);
      if (user.isSuspended) return error(403, "user_suspended");
      if (channel.banned.has(user)) return error(403, "user_banned");
      if (!isManager && !channel.members.includes(user)) return error(403, "not_a_participant");
      if (channel.muted.has(user)) return error(403, "member_muted");
      if (!isManager && channel.isFrozen) return error(403, "channel_frozen");
      channel.messages.push({ sender: user, time: ++this.#now, content });
      channel.total += 1;
      return { status: 201, body: content };
    });
  }

  /** As if each message had been sent by itself. */
  sendMany(ids: readonly string[], userId: string, content: string): ModelResponse {
    return { status: 200, body: ids.map((id) => this.send(id, userId, content)) };
  }

  export(id: string): ModelResponse {
    return this.#withChannel(id, ({ messages }) => ({
      status: 200,
      body: messages.toReversed().map(({ sender, content }) => [sender.id, sender.name, content]),
    }));
  }

  /** `index` counts from the newest message, here and below. */
  edit(id: string, index: number, content: string): ModelResponse {
    return this.#withMessage(id, index, (message) => {
      message.content = content;
      return { status: 200, body: content };
    });
  }

  deleteMessage(id: string, index: number): ModelResponse {
    return this.#withMessage(id, index, (message, { messages }) => {
      messages.splice(messages.indexOf(message), 1);
      return ok;
    });
  }

  getMessage(id: string, index: number): ModelResponse {
    return this.#withMessage(id, index, ({ content }) => ({ status: 200, body: content }));
  }

  /** A page of the messages before one, or of the newest ones. */
  listMessages(id: string, index: number | undefined, size: number): ModelResponse {
    return this.#withChannel(id, ({ messages }) => {
      if (index !== undefined && index >= messages.length)
        return { status: 200, body: { contents: [], more: false } };
      const older = messages.toReversed().slice(index === undefined ? 0 : index + 1);
      const contents = older.slice(0, size).map(({ content }) => content);
      return { status: 200, body: { contents, more: older.length > size } };
    });
  }

  /** Without an index, everything is read. A message that does not exist is older than all others. */
  markRead(id: string, userId: string, index: number | undefined): ModelResponse {
    return this.#withBoth(id, userId, (channel, user) => {
      const mark = channel.members.includes(user) ? channel.marks.get(user) : undefined;
      if (mark === undefined) return error(403, "not_a_participant");
      mark.readUntil = Math.max(mark.readUntil, channel.messages.at(-1 - (index ?? 0))?.time ?? 0);
      return { status: 200, body: countUnread(channel, user) };
    });
  }

  inbox(userId: string): ModelResponse {
    return this.#withUser(userId, (user) => ({
      status: 200,
      body: this.#channelsOf(user).map((channel) => [
        channel.id,
        countUnread(channel, user),
        channel.messages.at(-1)?.content,
      ]),
    }));
  }

  unread(userId: string): ModelResponse {
    return this.#withUser(userId, (user) => {
      const counts = this.#channelsOf(user).map((channel) => countUnread(channel, user));
      const total = counts.reduce((sum, count) => sum + count, 0);
      return { status: 200, body: { total, channels: counts.filter((count) => count > 0).length } };
    });
  }

  /** By last activity, newest first. */
  #channelsOf(user: User): (Channel & { id: string })[] {
    const activeAt = ({ messages, marks }: Channel) =>
      messages.at(-1)?.time ?? marks.get(user)?.joinedAt ?? 0;
    return [...this.#channels.values()]
      .filter(({ members }) => members.includes(user))
      .sort((one, other) => activeAt(other) - activeAt(one));
  }

  #withMessage(
    id: string,
    index: number,
    work: (message: Message, channel: Channel) => ModelResponse,
  ): ModelResponse {
    return this.#withChannel(id, (channel) => {
      const message = channel.messages.at(-1 - index);
      return message === undefined ? error(404, "message_not_found") : work(message, channel);
    });
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

  #withUser(id: string, work: (user: User) => ModelResponse): ModelResponse {
    const user = this.#users.get(id);
    return user === undefined ? error(404, "user_not_found") : work(user);
  }

  #withChannel(id: string, work: (channel: Channel & { id: string }) => ModelResponse): ModelResponse {
    const channel = this.#channels.get(id);
    return channel === undefined ? error(404, "channel_not_found") : work(channel);
  }

  #withBoth(
    id: string,
    userId: string,
    work: (channel: Channel, user: User) => ModelResponse,
  ): ModelResponse {
    return this.#withChannel(id, (channel) => this.#withUser(userId, (user) => work(channel, user)));
  }
}

function countUnread({ messages, marks }: Channel, user: User): number {
  const readUntil = marks.get(user)?.readUntil ?? 0;
  return messages.filter(({ sender, time }) => sender !== user && time > readUntil).length;
}

function idsOf(users: readonly User[]): string[] {
  return users.map(({ id }) => id);
}

function drop(users: User[], user: User): boolean {
  const index = users.indexOf(user);
  if (index >= 0) users.splice(index, 1);
  return index >= 0;
}
