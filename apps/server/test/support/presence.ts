import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "@madang/contract";
import { chatWith } from "./chat";
import { type LiveStream, openLiveStream } from "./live-stream";
import { createToken } from "./replay";
import type { TestServer } from "./server";

/** Opens a stream with a token of a user, who is online then. */
export async function goOnline(server: TestServer, userId: string, query = ""): Promise<LiveStream> {
  const token = await createToken(server.url, userId);
  return openLiveStream(server.url, `after=latest${query}`, undefined, token);
}

/** Watches the presence of users as another one. Returns what has arrived, such as `kim_01 online`, and the stream. */
export async function watch(server: TestServer, viewerId: string, userIds: readonly string[]) {
  const token = await createToken(server.url, viewerId);
  const shown: string[] = [];
  const query = `after=latest&live=true&presence=invisible&presence_of=${userIds.join()}`;
  const stream = await openLiveStream(
    server.url,
    query,
    ({ event }) => {
      if (event.type !== "presence") return;
      const { user_id, status } = (event as Extract<LiveEvent, { type: "presence" }>).data;
      shown.push(`${user_id} ${status}`);
    },
    token,
  );
  return { shown, ...stream };
}

/** Whether a user is online, as the application sees it. */
export async function isOnline(server: TestServer, userId: string): Promise<boolean> {
  const { presence } = await chatWith(server).presence.list({ user_ids: [userId] });
  return presence[0]?.status === "online";
}

/** Waits until a user is online or offline, and returns how long that took. */
export async function untilOnline(server: TestServer, userId: string, isExpected = true): Promise<number> {
  const startedAt = performance.now();
  while ((await isOnline(server, userId)) !== isExpected) await sleep(20);
  return performance.now() - startedAt;
}
