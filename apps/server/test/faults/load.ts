import { setTimeout as sleep } from "node:timers/promises";
import { call, type Sent } from "../support/call";

export interface Load {
  /** How many requests were sent, repeats included, and which answers came that no contract allows. */
  readonly sent: number;
  readonly wrong: readonly string[];
  /** What was acknowledged with 201, by kind. */
  readonly messages: readonly string[];
  readonly channels: readonly string[];
  readonly users: readonly string[];
  /** The longest time between two acknowledged writes of anybody, and how long the slowest answer took. */
  readonly longestGapMs: number;
  readonly slowestMs: number;
  acknowledged(): number;
  /** Ends every writer once its request is acknowledged or refused. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Asked anew before each attempt: the server may have moved. */
  readonly url: (writer: number) => string;
  readonly writers: number;
  /** Sets the names of this load apart from those of others on the same database. */
  readonly run?: string;
  /** Whether an attempt that breaks without an answer is to be expected. */
  readonly mayBreak?: boolean;
}

export const crowd = ["crowd_a", "crowd_b"];
export const rooms = Array.from({ length: 8 }, (_, index) => `crowd_room_${index}`);

/** The users and channels that the writers write to. */
export async function prepareCrowd(url: string): Promise<void> {
  for (const user_id of crowd) await expectCreated(url, "/v1/users", { user_id, name: user_id });
  for (const channel_id of rooms)
    await expectCreated(url, "/v1/group/channels", {
      channel_id,
      name: channel_id,
      members: crowd,
      reuse: false,
    });
}

async function expectCreated(url: string, path: string, body: unknown): Promise<void> {
  const reply = await call(url, "POST", path, { body });
  if (reply.status !== 201)
    throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/**
 * Writers that send messages, channels and users without pause. Two of three requests have an idempotency key and are
 * repeated until they are acknowledged, as the SDK does; the third is sent once.
 */
export function startLoad({ url, writers, run = "r", mayBreak = false }: LoadOptions): Load {
  let isStopped = false;
  let lastAcknowledgedAt = performance.now();
  const load = {
    sent: 0,
    wrong: [] as string[],
    messages: [] as string[],
    channels: [] as string[],
    users: [] as string[],
    longestGapMs: 0,
    slowestMs: 0,
  };

  const attempt = async (writer: number, path: string, sent: Sent): Promise<boolean> => {
    load.sent++;
    const startedAt = performance.now();
    try {
      const { status, headers, body } = await call(url(writer), "POST", path, sent);
      load.slowestMs = Math.max(load.slowestMs, performance.now() - startedAt);
      if (status === 201) return true;
      const mayComeBack = status === 503 || (status === 409 && body.code === "idempotency_key_in_use");
      if (!mayComeBack || !headers.has("Retry-After")) load.wrong.push(`${path} ${status} ${body.code}`);
    } catch (error) {
      if (!mayBreak)
        load.wrong.push(`${path} ${error instanceof Error ? String(error.cause ?? error) : error}`);
    }
    return false;
  };

  const write = async (writer: number) => {
    for (let count = 0; !isStopped; count++) {
      const name = `${run}w${writer}_${count}`;
      const { path, body, kept } = nextWrite(name, count);
      const isKeyed = count % 3 !== 0;
      const sent = isKeyed ? { body, idempotencyKey: name } : { body };
      let isAcknowledged = await attempt(writer, path, sent);
      while (!isAcknowledged && !isStopped) {
        await sleep(20);
        // Without a key nobody knows what became of it, and it is not sent again.
        if (!isKeyed) break;
        isAcknowledged = await attempt(writer, path, sent);
      }
      if (!isAcknowledged) continue;
      load[kept].push(name);
      const now = performance.now();
      load.longestGapMs = Math.max(load.longestGapMs, now - lastAcknowledgedAt);
      lastAcknowledgedAt = now;
    }
  };

  const all = Array.from({ length: writers }, (_, writer) => write(writer));
  return Object.assign(load, {
    acknowledged: () => load.messages.length + load.channels.length + load.users.length,
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  });
}

function nextWrite(name: string, count: number) {
  if (count % 10 === 3)
    return {
      path: "/v1/group/channels",
      body: { channel_id: `c_${name}`, name, members: crowd, reuse: false },
      kept: "channels" as const,
    };
  if (count % 10 === 7)
    return { path: "/v1/users", body: { user_id: `u_${name}`, name }, kept: "users" as const };
  return {
    path: `/v1/group/channels/${rooms[count % rooms.length]}/messages`,
    body: { user_id: crowd[count % 2], type: "text", content: name },
    kept: "messages" as const,
  };
}
