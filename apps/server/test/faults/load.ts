import { setTimeout as sleep } from "node:timers/promises";
import { call, type Sent } from "../support/call";

export interface Load {
  /** The number of requests, including retries. */
  readonly sent: number;
  /** Unexpected responses. */
  readonly wrong: readonly string[];
  /** Writes that were acknowledged with 201. */
  readonly messages: readonly string[];
  readonly channels: readonly string[];
  readonly users: readonly string[];
  /** The max time between two acknowledged writes. */
  readonly maxGapMs: number;
  /** The duration of the slowest response. */
  readonly maxDurationMs: number;
  acknowledged(): number;
  /** Stops every writer after its current request. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Called before each attempt, because the URL may change. */
  readonly url: (writer: number) => string;
  readonly writers: number;
  /** Distinguishes the names of this load from others on the same database. */
  readonly run?: string;
  /** Whether requests without a response are expected. */
  readonly mayBreak?: boolean;
}

export const loadUsers = ["crowd_a", "crowd_b"];
export const loadChannels = Array.from({ length: 8 }, (_, index) => `crowd_room_${index}`);

/** Creates the users and channels of the load. */
export async function prepareLoad(url: string): Promise<void> {
  for (const user_id of loadUsers) await expectCreated(url, "/v1/users", { user_id, name: user_id });
  for (const channel_id of loadChannels)
    await expectCreated(url, "/v1/group/channels", {
      channel_id,
      name: channel_id,
      members: loadUsers,
      reuse: false,
    });
}

async function expectCreated(url: string, path: string, body: unknown): Promise<void> {
  const reply = await call(url, "POST", path, { body });
  if (reply.status !== 201)
    throw new Error(`${path} responded with ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/**
 * Starts writers that create messages, channels and users without pause. Two of three requests have an idempotency key
 * and are retried until they are acknowledged, as the SDK does. The third is sent once.
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
    maxGapMs: 0,
    maxDurationMs: 0,
  };

  const attempt = async (writer: number, path: string, sent: Sent): Promise<boolean> => {
    load.sent++;
    const startedAt = performance.now();
    try {
      const { status, headers, body } = await call(url(writer), "POST", path, sent);
      load.maxDurationMs = Math.max(load.maxDurationMs, performance.now() - startedAt);
      if (status === 201) return true;
      const isTemporary = status === 503 || (status === 409 && body.code === "idempotency_key_in_use");
      if (!isTemporary || !headers.has("Retry-After")) load.wrong.push(`${path} ${status} ${body.code}`);
    } catch (error) {
      if (!mayBreak)
        load.wrong.push(`${path} ${error instanceof Error ? String(error.cause ?? error) : error}`);
    }
    return false;
  };

  const write = async (writer: number) => {
    for (let count = 0; !isStopped; count++) {
      const name = `${run}w${writer}_${count}`;
      const { path, body, kind } = nextWrite(name, count);
      const isKeyed = count % 3 !== 0;
      const sent = isKeyed ? { body, idempotencyKey: name } : { body };
      let isAcknowledged = await attempt(writer, path, sent);
      while (!isAcknowledged && !isStopped) {
        await sleep(20);
        // Without a key the result is unknown, and the request is not retried.
        if (!isKeyed) break;
        isAcknowledged = await attempt(writer, path, sent);
      }
      if (!isAcknowledged) continue;
      load[kind].push(name);
      const now = performance.now();
      load.maxGapMs = Math.max(load.maxGapMs, now - lastAcknowledgedAt);
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
      body: { channel_id: `c_${name}`, name, members: loadUsers, reuse: false },
      kind: "channels" as const,
    };
  if (count % 10 === 7)
    return { path: "/v1/users", body: { user_id: `u_${name}`, name }, kind: "users" as const };
  return {
    path: `/v1/group/channels/${loadChannels[count % loadChannels.length]}/messages`,
    body: { user_id: loadUsers[count % 2], type: "text", content: name },
    kind: "messages" as const,
  };
}
