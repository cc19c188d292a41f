import { ChatClient } from "@madang/client";
import { FaultyFetch } from "@madang/client/testing";

const faulty = new FaultyFetch(fetch);
const chat = new ChatClient({ fetch: faulty.fetch });

// The response to the next request breaks off after it took effect; the one to its first retry is an error.
faulty.failNext({ kind: "cut" }, { kind: "respond", status: 503, code: "unavailable", retryAfterSeconds: 0 });
const { data, meta } = await chat.raw.users.update("kim_01", { name: "Kim" });
console.log(data.name, "after", meta.attempts, "attempts");
