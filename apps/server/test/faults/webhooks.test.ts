import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { type Receiver, startReceiver } from "../support/receiver";
import { isLong, report } from "../support/report";
import { loadChannels, loadUsers, prepareLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
let database: Awaited<ReturnType<typeof createDatabase>>;
let receiver: Receiver;
beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

// In `npm test`, a journey kills a process by its claims alone: here the claims of 30 seconds pass in real time.
test.runIf(isLong)(
  "kill -9 of the server loses no delivery, and keeps those of a channel in order",
  async () => {
    const servers: ServerProcess[] = [];
    for (let index = 0; index < 2; index++) servers.push(await startProcess(database.url, settings));
    const urlOf = (index: number) => servers[index % servers.length]?.url ?? "";
    await prepareLoad(urlOf(0));
    const body = { url: receiver.url, types: ["message.created"] };
    expect((await call(urlOf(0), "POST", "/v1/webhooks", { body })).status).toBe(201);

    // One writer for each channel, so that the order of its messages is known.
    let isStopped = false;
    let sent = 0;
    const acknowledged = new Map<string, string[]>();
    const write = async (channel: string, writer: number) => {
      const contents: string[] = [];
      acknowledged.set(channel, contents);
      for (let count = 0; !isStopped; count++) {
        const message = { user_id: loadUsers[0], type: "text", content: `${channel} ${count}` };
        const path = `/v1/group/channels/${channel}/messages`;
        for (let attempt = writer; ; attempt++) {
          sent++;
          const status = await call(urlOf(attempt), "POST", path, {
            body: message,
            idempotencyKey: message.content,
          }).then(
            (reply) => reply.status,
            () => 0,
          );
          if (status === 201) break;
          await sleep(20);
        }
        contents.push(message.content);
        await sleep(5);
      }
    };
    const writers = loadChannels.map(write);
    const count = () => [...acknowledged.values()].reduce((sum, contents) => sum + contents.length, 0);
    for (let round = 0; round < 20; round++) {
      const goal = count() + 400;
      while (count() < goal) await sleep(5);
      const index = round % servers.length;
      const url = new URL(urlOf(index));
      await servers[index]?.end("SIGKILL");
      servers[index] = await startProcess(database.url, { ...settings, PORT: url.port });
    }
    isStopped = true;
    await Promise.all(writers);

    // What a killed process was sending is sent again when its claims have passed.
    const firsts = () => {
      const byChannel = new Map<string, string[]>(loadChannels.map((channel) => [channel, []]));
      const seen = new Set<string>();
      for (const { event } of receiver.deliveries) {
        if (seen.has(event.event_id)) continue;
        seen.add(event.event_id);
        byChannel.get(event.channel_id)?.push(event.data.message.content);
      }
      return { byChannel, repeated: receiver.deliveries.length - seen.size };
    };
    const deadline = Date.now() + 90_000;
    const missing = () =>
      count() - [...firsts().byChannel.values()].reduce((sum, all) => sum + all.length, 0);
    while (missing() > 0 && Date.now() < deadline) await sleep(200);
    for (const server of servers) await server.end("SIGTERM");

    const { byChannel, repeated } = firsts();
    const wrong = loadChannels.filter(
      (channel) => byChannel.get(channel)?.join() !== acknowledged.get(channel)?.join(),
    );
    await report({
      fault: `kill -9 of a server that delivers webhooks; ${repeated} deliveries arrived twice`,
      load: `${loadChannels.length} writers, 2 processes`,
      sent,
      acknowledged: count(),
      lost: Math.max(0, missing()),
      duplicated: 0,
      wrong: wrong.length,
      maxOutageMs: undefined,
    });
    expect({ lost: missing(), wrong }).toEqual({ lost: 0, wrong: [] });
  },
);
