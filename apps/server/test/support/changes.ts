import { type OperationId, operations } from "@madang/contract";
import { call, callPatiently, type Reply } from "./call";
import { isLong } from "./report";

/** The operations that change something. */
export const changing = operations.filter(({ route }) => route.method !== "GET").map(({ id }) => id);

/** The long form has the machine to itself. */
const attempt = isLong ? call : callPatiently;

const users = ["user_0", "user_1", "user_2"];
const rooms = ["room_0", "room_1"];
/** These are deleted again and again, so most calls are about the others. */
const brief = { user: "user_9", room: "room_9" };
const briefShare = 8;

/** Sends a request for an operation, and returns the response. */
type Send = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** What a call is about. */
interface Subject {
  /** Another one in each call. */
  readonly number: number;
  readonly user: string;
  readonly other: string;
  readonly room: string;
  /** The path of the channel. */
  readonly channel: string;
  /** The path of a message of the channel. */
  readonly message: string;
  readonly messageId: string;
}

type Change = (send: Send, subject: Subject) => Promise<unknown>;

/** Calls operations that change the same few users, channels, messages, keys, webhooks and reports. */
export class SharedChanges {
  /** Per response: the operation and the status. */
  readonly counts = new Map<string, number>();
  readonly #messages = new Map<string, string[]>();
  readonly #made = {
    keys: [] as string[],
    webhooks: [] as string[],
    filters: [] as string[],
    hooks: [] as string[],
    reports: [] as string[],
  };
  readonly #run: string;
  #count = 0;

  /** `run` makes ids and idempotency keys differ from those of other runs. */
  constructor(run: string) {
    this.#run = run;
  }

  async createAll(url: string): Promise<void> {
    const send: Send = (method, path, body) => call(url, method, path, { body });
    for (const user of [...users, brief.user]) await createUser(send, user);
    for (const room of [...rooms, brief.room]) await createRoom(send, room);
    for (let about = 1; about < briefShare; about++)
      for (const id of [
        "messages.send",
        "reports.create",
        "keys.create",
        "webhooks.create",
        "filters.create",
        "hooks.create",
      ] as const)
        await this.make(url, id, about);
  }

  /** Calls an operation. Calls about the same number share their rows. Every other call has idempotency keys. */
  async make(url: string, id: OperationId, about: number): Promise<void> {
    const number = this.#count++;
    let request = 0;
    const send: Send = async (method, path, body) => {
      const key = `${this.#run}-${id}-${number}-${request++}`;
      const reply = await attempt(url, method, path, {
        body,
        ...(number % 2 === 0 && { idempotencyKey: key }),
      });
      const name = `${id} ${reply.status}${reply.status < 500 ? "" : ` ${reply.body?.detail}`}`;
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      return reply;
    };
    await this.#changes[id]?.(send, this.#subjectOf(about, number));
  }

  /** The operations without a way to call them. */
  listMissing(): readonly OperationId[] {
    return changing.filter((id) => this.#changes[id] === undefined);
  }

  /** Those of the operations that never succeeded. */
  listUnsuccessful(ids: readonly OperationId[]): readonly OperationId[] {
    return ids.filter((id) => ![...this.counts.keys()].some((name) => name.startsWith(`${id} 2`)));
  }

  /** The failures of the server, with how often each happened. */
  listFailures(): readonly string[] {
    return [...this.counts]
      .filter(([name]) => / 5\d\d /.test(name))
      .map(([name, count]) => `${count} ${name}`);
  }

  #subjectOf(about: number, number: number): Subject {
    const pick = (list: readonly string[], index: number) => list[index % list.length] ?? "";
    const isBrief = about % briefShare === 0;
    const room = isBrief ? brief.room : pick(rooms, about);
    const channel = `/v1/group/channels/${room}`;
    const messageId = pick(this.#messages.get(room) ?? [], about) || "1-1";
    return {
      number,
      user: isBrief ? brief.user : pick(users, about),
      other: pick(users, about + 1),
      room,
      channel,
      messageId,
      message: `${channel}/messages/${messageId}`,
    };
  }

  /** Keeps the newest messages of a channel, so that calls share them. */
  #keepMessage(room: string, { body }: Reply): void {
    const kept = this.#messages.get(room) ?? [];
    this.#messages.set(
      room,
      [...kept, ...(body?.message_id === undefined ? [] : [body.message_id])].slice(-3),
    );
  }

  readonly #changes: { readonly [Id in OperationId]?: Change } = {
    "users.create": (send, { number }) => createUser(send, `new_${this.#run}_${number}`),
    "users.update": (send, { user, number }) => send("PUT", `/v1/users/${user}`, { name: `User ${number}` }),
    "users.upsertMany": (send, { number }) =>
      send("PUT", "/v1/users", {
        users: (number % 4 < 2 ? users : users.toReversed()).map((user_id) => ({
          user_id,
          name: `User ${number % 8}`,
          ...metaOf(number),
        })),
      }),
    "users.delete": async (send) => {
      await send("DELETE", `/v1/users/${brief.user}`);
      await restoreUser(send);
    },
    "users.suspend": async (send, { user }) => {
      await send("PUT", `/v1/users/${user}/suspension`, { reason: "Spam" });
      await send("DELETE", `/v1/users/${user}/suspension`);
    },
    "users.unsuspend": (send, { user }) => send("DELETE", `/v1/users/${user}/suspension`),
    "users.blocks.add": async (send, { user, other }) => {
      await send("PUT", `/v1/users/${user}/blocks/${other}`);
      await send("DELETE", `/v1/users/${user}/blocks/${other}`);
    },
    "users.blocks.remove": (send, { user, other }) => send("DELETE", `/v1/users/${user}/blocks/${other}`),
    "users.devices.register": (send, { user }) => registerDevice(send, user),
    "users.devices.remove": (send, { user }) => send("DELETE", devicePath(user)),
    "users.devices.ping": async (send, { user }) => {
      await registerDevice(send, user);
      await send("POST", `${devicePath(user)}/ping`);
    },
    "users.meta.merge": (send, { user, number }) => send("PUT", `/v1/users/${user}/meta`, metaOf(number)),
    "users.meta.delete": (send, { user }) => send("DELETE", `/v1/users/${user}/meta`, { keys: ["a", "b"] }),
    "users.meta.deleteKey": (send, { user }) => send("DELETE", `/v1/users/${user}/meta/a`),
    "channels.create": (send, { user, other, number }) =>
      send("POST", "/v1/group/channels", {
        channel_id: `pair_${this.#run}_${number}`,
        name: "Pair",
        members: [user, other],
        reuse: number % 4 < 2,
      }),
    "channels.update": (send, { channel, number }) => send("PUT", channel, { name: `Room ${number}` }),
    "channels.delete": async (send) => {
      await send("DELETE", `/v1/group/channels/${brief.room}`);
      await createRoom(send, brief.room);
      await send("PUT", `/v1/group/channels/${brief.room}/join`, { member: brief.user });
    },
    "channels.freeze": async (send, { channel }) => {
      await send("PUT", `${channel}/freeze`, { freeze: true });
      await send("PUT", `${channel}/freeze`, { freeze: false });
    },
    "channels.setRetention": (send, { channel, number }) =>
      send("PUT", `${channel}/retention`, { days: 365 + (number % 2), hold: false }),
    "channels.members.addMany": (send, { channel }) => send("POST", `${channel}/members`, { members: users }),
    "channels.members.join": (send, { channel, user }) => send("PUT", `${channel}/join`, { member: user }),
    "channels.members.leave": async (send, { channel, user }) => {
      await send("PUT", `${channel}/leave`, { member: user });
      await send("PUT", `${channel}/join`, { member: user });
    },
    "channels.members.markRead": (send, { channel, user, messageId, number }) =>
      send("PUT", `${channel}/members/${user}/read`, number % 4 < 2 ? {} : { message_id: messageId }),
    "channels.members.setPreferences": (send, { channel, user, number }) =>
      send("PUT", `${channel}/members/${user}/preferences`, { notify: number % 4 < 2 ? "all" : "mentions" }),
    "channels.members.mute": async (send, { channel, user }) => {
      await send("PUT", `${channel}/members/${user}/mute`, {});
      await send("DELETE", `${channel}/members/${user}/mute`);
    },
    "channels.members.unmute": (send, { channel, user }) => send("DELETE", `${channel}/members/${user}/mute`),
    "channels.managers.add": (send, { channel, user }) =>
      send("POST", `${channel}/managers`, { manager: user }),
    "channels.managers.remove": async (send, { channel, user }) => {
      await send("POST", `${channel}/managers`, { manager: user });
      await send("DELETE", `${channel}/managers`, { manager: user });
    },
    "channels.managers.removeByPath": async (send, { channel, user }) => {
      await send("POST", `${channel}/managers`, { manager: user });
      await send("DELETE", `${channel}/managers/${user}`);
    },
    "channels.meta.merge": (send, { channel, number }) => send("PUT", `${channel}/meta`, metaOf(number)),
    "channels.meta.delete": (send, { channel }) => send("DELETE", `${channel}/meta`, { keys: ["a", "b"] }),
    "channels.meta.deleteKey": (send, { channel }) => send("DELETE", `${channel}/meta/a`),
    "channels.bans.add": async (send, { channel, user }) => {
      await send("PUT", `${channel}/bans/${user}`, { reason: "Spam" });
      await send("DELETE", `${channel}/bans/${user}`);
      await send("PUT", `${channel}/join`, { member: user });
    },
    "channels.bans.remove": (send, { channel, user }) => send("DELETE", `${channel}/bans/${user}`),
    "messages.send": async (send, { channel, room, user, other, messageId, number }) => {
      const links = {
        ...(number % 3 === 0 && { reply_to: messageId }),
        ...(number % 5 === 0 && { mentions: [other] }),
      };
      const text = { user_id: user, type: "text", content: `${this.#run} ${number}` };
      this.#keepMessage(room, await send("POST", `${channel}/messages`, { ...text, ...links }));
    },
    "messages.sendMany": (send, { user, number }) =>
      send("POST", "/v1/messages", {
        channel_ids: number % 4 < 2 ? rooms : rooms.toReversed(),
        ...(number % 3 > 0 && { user_id: user }),
        type: number % 3 > 0 ? "text" : "system",
        content: `many ${this.#run} ${number}`,
      }),
    "messages.update": (send, { message, number }) =>
      send("PUT", message, { content: `edited ${this.#run} ${number}` }),
    "messages.delete": (send, { message }) => send("DELETE", message),
    "messages.append": async (send, { channel, user }) => {
      const message = await begin(send, channel, user);
      for (const index of [0, 1]) await send("POST", `${message}/append`, { index, content: "more" });
    },
    "messages.finish": async (send, { channel, user }) =>
      send("PUT", `${await begin(send, channel, user)}/finish`, { state: "done" }),
    "files.create": (send, { room, user }) => createFile(send, room, user),
    "files.delete": async (send, { room, user }) => {
      const { body } = await createFile(send, room, user);
      return send("DELETE", `/v1/files/${body?.file_id}`);
    },
    "signals.send": (send, { channel, user }) =>
      send("POST", `${channel}/signals`, { user_id: user, type: "typing" }),
    "users.createToken": (send, { user }) => send("POST", `/v1/users/${user}/tokens`),
    "users.revokeTokens": (send, { user }) => send("DELETE", `/v1/users/${user}/tokens`),
    "messages.pin": (send, { message }) => send("PUT", `${message}/pin`),
    "messages.unpin": (send, { message }) => send("DELETE", `${message}/pin`),
    "messages.reactions.add": (send, { message, user }) => send("PUT", `${message}/reactions/a/${user}`),
    "messages.reactions.remove": (send, { message, user }) =>
      send("DELETE", `${message}/reactions/a/${user}`),
    "imports.messages": (send, { channel, user, other, number }) =>
      send("POST", `/v1/imports${channel.slice(3)}/messages`, {
        messages: [1, 2].map((each) => ({
          external_id: `x_${(number + each) % 40}`,
          user_id: user,
          type: "text",
          content: `imported ${this.#run} ${number} ${each}`,
          created_at: 1_600_000_000_000 + number,
          ...(number % 4 > 1 && { mentions: [other] }),
          ...(number % 4 > 1 && each === 2 && { reply_to: `x_${(number + 1) % 40}` }),
        })),
      }),
    "keys.create": async (send) => {
      const { body } = await send("POST", "/v1/applications/keys", {});
      if (body?.key !== undefined) this.#made.keys.push(body.key);
    },
    "keys.delete": (send) =>
      send("DELETE", "/v1/applications/keys", { key: this.#made.keys.pop() ?? "sk_none" }),
    "keys.revoke": (send) =>
      send("POST", "/v1/applications/keys/revoke", { key: this.#made.keys.pop() ?? "sk_none" }),
    "webhooks.create": async (send) => {
      const { body } = await send("POST", "/v1/webhooks", { url: "https://hooks.example.com/all" });
      if (body?.webhook_id !== undefined) this.#made.webhooks.push(body.webhook_id);
    },
    "webhooks.update": (send, { number }) =>
      send("PUT", this.#webhook(number), { enabled: true, description: `Webhook ${number}` }),
    "webhooks.delete": async (send) => {
      await send("DELETE", `/v1/webhooks/${this.#made.webhooks.pop() ?? "wh_none"}`);
    },
    "webhooks.rotate": (send, { number }) => send("POST", `${this.#webhook(number)}/rotate`),
    "webhooks.ping": (send, { number }) => send("POST", `${this.#webhook(number)}/ping`),
    "webhooks.replay": async (send, { number }) => {
      const { body } = await send("GET", "/v1/events?limit=1");
      await send("POST", `${this.#webhook(number)}/replay`, { after: body?.next });
    },
    "filters.create": async (send) => {
      const { body } = await send("POST", "/v1/filters", { label: "Spam", words: ["spam"], action: "mask" });
      if (body?.filter_id !== undefined) this.#made.filters.push(body.filter_id);
    },
    "filters.try": (send) => send("POST", "/v1/filters/try", { words: ["spam"], text: "Spam" }),
    "filters.update": (send, { number }) =>
      send("PUT", `/v1/filters/${this.#made.filters[number % 2] ?? "flt_none"}`, {
        label: `Filter ${number}`,
      }),
    "filters.delete": async (send) => {
      await send("DELETE", `/v1/filters/${this.#made.filters.pop() ?? "flt_none"}`);
    },
    // Only tokens ask them, and there are none here.
    "hooks.create": async (send) => {
      const { body } = await send("POST", "/v1/hooks", {
        url: "https://hooks.example.com/check",
        operations: ["messages.send"],
        callers: "users",
        on_failure: "accept",
      });
      if (body?.hook_id !== undefined) this.#made.hooks.push(body.hook_id);
    },
    "hooks.update": (send, { number }) =>
      send("PUT", `/v1/hooks/${this.#made.hooks[number % 2] ?? "hook_none"}`, {
        timeout_ms: 100 + (number % 100),
      }),
    "hooks.rotate": (send, { number }) =>
      send("POST", `/v1/hooks/${this.#made.hooks[number % 2] ?? "hook_none"}/rotate`),
    "hooks.delete": async (send) => {
      await send("DELETE", `/v1/hooks/${this.#made.hooks.pop() ?? "hook_none"}`);
    },
    "channels.setSlowMode": (send, { channel, number }) =>
      send("PUT", `${channel}/slow_mode`, { seconds: number % 2 }),
    "reports.create": async (send, { room, messageId, user, other }) => {
      const { body } = await send("POST", "/v1/reports", {
        channel_id: room,
        message_id: messageId,
        reported_user_id: other,
        reporter_user_id: user,
        reason: "Spam",
      });
      if (body?.report_id !== undefined)
        this.#made.reports = [...this.#made.reports, body.report_id].slice(-2);
    },
    "reports.resolve": (send, { number }) =>
      send("PUT", `/v1/reports/${this.#made.reports[number % 2] ?? "rep_none"}`, {
        status: "resolved",
        resolution: `Resolution ${number}`,
      }),
    "privacy.erase": async (send, { number }) => {
      await send("POST", "/v1/privacy/erasures", {
        user_id: brief.user,
        messages: number % 4 < 2 ? "erase" : "keep",
      });
      await restoreUser(send);
    },
  };

  #webhook(number: number): string {
    return `/v1/webhooks/${this.#made.webhooks[number % 2] ?? "wh_none"}`;
  }
}

const metaOf = (number: number) => ({ meta: { [number % 2 === 0 ? "a" : "b"]: String(number) } });

const createUser = (send: Send, user_id: string) => send("POST", "/v1/users", { user_id, name: "User" });

const createRoom = (send: Send, channel_id: string) =>
  send("POST", "/v1/group/channels", { channel_id, name: "Room", members: users, reuse: false });

const devicePath = (user: string) => `/v1/users/${user}/devices/device_0`;

/** Its push service does not exist. */
const registerDevice = (send: Send, user: string) =>
  send("PUT", devicePath(user), {
    provider: "webpush",
    endpoint: `https://push.example.com/${user}`,
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
  });

async function restoreUser(send: Send): Promise<void> {
  await createUser(send, brief.user);
  for (const room of [...rooms, brief.room])
    await send("PUT", `/v1/group/channels/${room}/join`, { member: brief.user });
}

/** Begins a message that is written by appends, and returns its path. */
async function begin(send: Send, channel: string, user: string): Promise<string> {
  const { body } = await send("POST", `${channel}/messages`, {
    user_id: user,
    type: "text",
    streaming: true,
  });
  return `${channel}/messages/${body?.message_id}`;
}

const createFile = (send: Send, channel_id: string, user_id: string) =>
  send("POST", "/v1/files", { channel_id, user_id, name: "menu.png", type: "image/png", size: 3 });
