import { setTimeout as sleep } from "node:timers/promises";
import { tableOfFindings } from "../results/finding";
import type { Findings } from "../results/findings";
import { processorTimeMs, totalProcessorTimeMs } from "../results/processor-time";
import { memberOf, membersPerChannel, userIdAt } from "../servers/dataset";
import { createTarget, type Run, type Settings } from "../servers/target";
import { createTestbed, type Testbed } from "../servers/testbed";
import { createToken, openStream } from "./event-listener";

const users = 1_000;
/** How often each opens a stream, and how long that is open: a server holds 900 streams of users. */
const everyMs = 5_000;
const openMs = 4_000;
const warmUpMs = 10_000;

/** The processor time of streams that come and go, with the presence of the other users of a channel, and on a server without presence. */
export async function measurePresence({ options, settings, resources }: Run): Promise<Findings> {
  // No user is in two of so many channels.
  const sizes = { ...settings.sizes, messages: 10_000, channels: users / membersPerChannel };
  const sized = { ...settings, sizes };
  const testbed = await createTestbed(resources, sizes);
  const measuredMs = options.quick ? 15_000 : 60_000;
  const without = await loadStreams(testbed, sized, measuredMs, false);
  const value = await loadStreams(testbed, sized, measuredMs, true);
  const title = `${users.toLocaleString("en-US")} users, each with a stream of ${openMs / 1_000} s every ${everyMs / 1_000} s`;
  const unit = "% of a processor";
  const findings = [
    { title: `${title}, without presence`, value: without, unit },
    { title: `${title}, each with the presence of ${membersPerChannel - 1} users`, value, unit },
    { title: "what presence costs", value: value - without, unit, max: 5 },
  ];
  return { tables: [tableOfFindings(findings)], notes: [], data: { findings } };
}

/** Returns the processor time of Node and PostgreSQL, in percent of a processor. */
async function loadStreams(
  testbed: Testbed,
  settings: Settings,
  measuredMs: number,
  hasPresence: boolean,
): Promise<number> {
  const environment = { MADANG_PRESENCE: hasPresence ? "status" : "off" };
  const { server, headers } = await createTarget(
    testbed,
    await testbed.startServer({ environment }),
    settings,
  );
  let hasEnded = false;
  const comeAndGo = async (url: string, token: string, waitMs: number) => {
    await sleep(waitMs);
    while (!hasEnded) {
      const stream = await openStream(url, { authorization: `Bearer ${token}` });
      stream.resume();
      await sleep(openMs);
      stream.destroy();
      await sleep(everyMs - openMs);
    }
  };
  const pages: Promise<void>[] = [];
  for (let index = 0; index < users; index += 1) {
    const channel = 1 + Math.floor(index / membersPerChannel);
    const idAt = (member: number) => userIdAt(memberOf(channel, member, settings.sizes));
    const userId = idAt(index % membersPerChannel);
    const others = Array.from({ length: membersPerChannel }, (_, member) => idAt(member)).filter(
      (id) => id !== userId,
    );
    const token = await createToken(server.url, headers, userId);
    const watched = hasPresence ? `&presence_of=${others.join()}` : "";
    const url = `${server.url}/v1/events/stream?after=latest&live=true${watched}`;
    pages.push(comeAndGo(url, token, (index * everyMs) / users));
  }
  const ended = Promise.all(pages);
  await Promise.race([ended, sleep(warmUpMs)]);
  const clock = () => processorTimeMs(server.pid) + totalProcessorTimeMs(testbed.postgresPids);
  const before = clock();
  await Promise.race([ended, sleep(measuredMs)]);
  const usedMs = clock() - before;
  hasEnded = true;
  await ended;
  await server.stop();
  return (100 * usedMs) / measuredMs;
}
