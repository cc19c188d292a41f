// The rows of the table: what is done to each SDK, and how its reaction is described.
import { inspect } from "node:util";
import { key } from "./peers.mjs";

const patienceMs = 4_000;

/** Each row names the script of the server and returns its finding. */
export const rows = {
  "the server repeats a cursor": [
    "same-cursor",
    async (peer, sent) => walk(peer, sent, (count) => count > 20 && "loops forever"),
  ],
  "an empty page with a cursor": [
    "empty-page",
    async (peer, sent) =>
      walk(peer, sent, () => false).then((end) =>
        end === "ends" ? (sent() > 2 ? "continues" : "stops") : end,
      ),
  ],
  "the body breaks off": ["cut", (peer) => settle(peer.get("user_1"))],
  "the body stalls": ["stall", (peer) => settle(peer.get("user_1"))],
  "id `../../x?y#z`": [
    "good",
    async (peer, _sent, last) => {
      await settle(peer.get("../../x?y#z"));
      const url = last();
      if (url === undefined) return "rejected";
      return url.includes("%2F") && !url.includes("?y") ? "encoded" : `calls ${url}`;
    },
  ],
  'id `""`': [
    "good",
    async (peer, _sent, last) => {
      await settle(peer.get(""));
      return last() === undefined ? "rejected" : `calls ${last()}`;
    },
  ],
  "`Retry-After: 3600`": ["wait-an-hour", (peer) => settle(peer.get("user_1"))],
  "printing an error": [
    "refuse",
    async (peer) => {
      const error = await Promise.resolve(peer.get("user_1")).catch((reason) => reason);
      const shown = `${inspect(error, { depth: 10 })} ${JSON.stringify(error)}`;
      return shown.includes(key) ? "shows the key" : "no key";
    },
  ],
};

async function settle(call) {
  const began = Date.now();
  const outcome = Promise.resolve(call).then(
    (value) => `succeeds with ${JSON.stringify(value?.data ?? value)?.slice(0, 40)}`,
    (error) => `${nameOf(error)} after ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  return Promise.race([outcome, pause(patienceMs).then(() => "hangs, or waits")]);
}

async function walk(peer, sent, judge) {
  const run = (async () => {
    for await (const _ of peer.walk()) {
      const verdict = judge(sent());
      if (verdict) return verdict;
    }
    return "ends";
  })();
  return Promise.race([
    run.catch((error) => `${nameOf(error)} after ${sent()}`),
    pause(patienceMs).then(() => "hangs"),
  ]);
}

const nameOf = (error) =>
  [error.constructor.name, error.kind ?? error.status ?? error.code].filter(Boolean).join(" ");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref());
