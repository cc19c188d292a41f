import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { expectWithinIfLong } from "../../../../test/support/report";
import { createAddressRules } from "../../../security/address-rules";
import { type HostNameOptions, openHostNames } from "./host-names";
import { createReceivers } from "./receivers";

const opened: (() => unknown)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

type Answer = (query: Buffer) => Buffer | undefined;

/** A name server on loopback. */
async function startNameServer(answer: Answer) {
  const socket = createSocket("udp4");
  const got = { queries: 0, address: "" };
  socket.on("message", (query, { port, address }) => {
    got.queries += 1;
    const response = answer(query);
    if (response !== undefined) socket.send(response, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  opened.push(() => socket.close());
  got.address = `127.0.0.1:${socket.address().port}`;
  return got;
}

const silence: Answer = () => undefined;

/** Responds with the address to queries for IPv4, and without an address to others. */
const answerWith = (address: readonly number[]): Answer => {
  return (query) => {
    const end = query.indexOf(0, 12) + 5;
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
    return Buffer.concat([header, query.subarray(12, end), ...(isIpv4 ? [record] : [])]);
  };
};

function open(options: HostNameOptions) {
  const hostNames = openHostNames(options);
  opened.push(hostNames.close);
  return hostNames;
}

test("the addresses of a name come from the name server", async () => {
  const { address } = await startNameServer(answerWith([192, 0, 2, 7]));
  const hostNames = open({ nameServers: [address] });
  expect(await hostNames.resolve("receiver.test")).toEqual([{ address: "192.0.2.7", family: 4 }]);
});

test("localhost is the own machine, without a name server", async () => {
  const server = await startNameServer(answerWith([192, 0, 2, 7]));
  const hostNames = open({ nameServers: [server.address] });
  for (const host of ["localhost", "LOCALHOST.", "app.localhost"])
    expect(await hostNames.resolve(host)).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(server.queries).toBe(0);
});

test("a name server that does not respond costs some seconds, one lookup of each name, and no thread", async () => {
  const server = await startNameServer(silence);
  const hostNames = open({ nameServers: [server.address], maxLookupMs: 400 });
  const receivers = createReceivers({ rules: createAddressRules([]), hostNames });
  const startedAt = performance.now();
  const attempts = Array.from({ length: 40 }, () => receivers.post("https://silent.test/", {}, "{}"));
  const permitted = receivers.findUrlError("https://silent.test/");
  // As a new connection to PostgreSQL by host name does.
  await lookup("localhost");
  expectWithinIfLong(400, performance.now() - startedAt);
  expect(await permitted).toBeUndefined();
  for (const { error } of await Promise.all(attempts))
    expect(error).toBe("The host name could not be resolved (ETIMEOUT).");
  expectWithinIfLong(4_000, performance.now() - startedAt);
  // One query for each family of addresses.
  expect(server.queries).toBe(2);
});

test("closing ends the lookups, which would keep the process alive", async () => {
  const { address } = await startNameServer(silence);
  const hostNames = open({ nameServers: [address] });
  const lookedUp = expect(hostNames.resolve("silent.test")).rejects.toThrow(/ECANCELLED/);
  hostNames.close();
  await lookedUp;
});
