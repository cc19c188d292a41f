// What a call costs compared with a bare fetch of the same response, on loopback: medians over alternating rounds.
import { createServer } from "node:http";

import { ChatClient } from "../dist/index.js";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 2 };
const message = (number) => ({
  ...{
    message_id: String(number),
    channel_id: "room_1",
    user,
    type: "text",
    content: `message ${number} of a long talk`,
  },
  ...{ meta: {}, created_at: number, updated_at: number },
});
const one = JSON.stringify(user);
const page = JSON.stringify({
  messages: Array.from({ length: 1_000 }, (_, index) => message(index)),
  timezone: "UTC",
});
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(request.url.includes("exports") ? page : one);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const headers = { authorization: "Bearer key", accept: "application/json" };
const chat = new ChatClient({ baseUrl, apiKey: "key" });
const checked = new ChatClient({ baseUrl, apiKey: "key", check: true });

const bare = async (path) => (await fetch(baseUrl + path, { headers })).json();
const call = await compare(2_000, {
  bare: () => bare("/v1/users/kim_01"),
  sdk: () => chat.users.get("kim_01"),
});
const pages = await compare(400, {
  bare: () => bare("/v1/exports/group/channels/room_1/messages?limit=1000"),
  sdk: () => chat.exports.messages("room_1", { pageSize: 1_000 }).then(),
  checked: () => checked.exports.messages("room_1", { pageSize: 1_000 }).then(),
});
server.close();
server.closeAllConnections();

const share = (name, beside = "bare") => difference(pages, name, beside) / median(pages.bare);
const overhead = {
  callMs: difference(call, "sdk", "bare"),
  bareCallMs: median(call.bare),
  pageMs: median(pages.bare),
  pageShare: share("sdk"),
  checkShare: share("checked", "sdk"),
};
console.log(JSON.stringify(overhead));

/** Alternates, so that other load on the machine affects all candidates alike. */
async function compare(rounds, candidates) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -rounds / 5; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) {
      const began = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - began);
    }
  return times;
}

/** The median difference between two candidates in the same round. */
function difference(times, one, other) {
  return median(times[one].map((time, round) => time - times[other][round]));
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}
