import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { isLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { type ServerProcess, startProcess } from "./process";

const callers = 16;
const database = await createDatabase();
afterAll(database.drop);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "%s of the server, and two seconds without one, fail no call of the SDK",
  async (signal) => {
    let server: ServerProcess = await startProcess(database.url);
    const { url } = server;
    // On a busy machine a start takes longer than the default allows; the long form runs with the default.
    const options = isLong ? {} : { maxDowntimeMs: 60_000 };
    const chat = new ChatClient({ baseUrl: url, apiKey: masterKey, ...options });
    const channel = `restart_${signal.toLowerCase()}`;
    const user_id = `user_${signal.toLowerCase()}`;
    await chat.users.create({ user_id, name: "Kim" });
    await chat.channels.create({ channel_id: channel, name: "Restart", members: [user_id] });

    const sent: string[] = [];
    const failures: string[] = [];
    const calls = Array<number>(callers).fill(0);
    const total = () => calls.reduce((sum, count) => sum + count, 0);
    /** Every caller is past the previous outage: one that pauses would take two for a single one. */
    const untilAllCall = async () => {
      const before = [...calls];
      while (calls.some((count, caller) => count < (before[caller] ?? 0) + 10)) await sleep(20);
    };
    let isOver = false;
    const call = async (caller: number) => {
      for (let count = 0; !isOver; count++) {
        const content = `${caller}_${count}`;
        const calling =
          count % 2 === 0
            ? chat.messages.send(channel, { user_id, type: "text", content }).then(() => sent.push(content))
            : chat.users.get(user_id);
        await calling.catch((error: unknown) => failures.push(String(error)));
        calls[caller] = count + 1;
      }
    };
    const all = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
    for (let round = 0; round < scale(1, 10); round++) {
      await untilAllCall();
      await server.end(signal);
      await sleep(2_000);
      server = await startProcess(database.url, { PORT: new URL(url).port });
    }
    await untilAllCall();
    isOver = true;
    await all;

    const stored = await chat.exports.messages(channel, { pageSize: 1_000 }).toArray();
    await server.end("SIGTERM");
    const contents = stored.map((message) => (message.type === "text" ? message.content : ""));
    const lost = sent.filter((content) => !contents.includes(content)).length;
    const duplicated = contents.length - new Set(contents).size;
    await report({
      fault: `${signal} of the server, then 2 s without one: calls of the SDK`,
      load: `${callers} callers`,
      ...{ sent: total(), acknowledged: total() - failures.length, lost, duplicated, wrong: failures.length },
    });
    expect({ failures, lost, duplicated }).toEqual({ failures: [], lost: 0, duplicated: 0 });
  },
);
