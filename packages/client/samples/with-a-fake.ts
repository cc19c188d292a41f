import { ChatClient } from "@madang/client";
import { FakeService } from "@madang/client/testing";

const service = new FakeService({ now: Date.parse("2024-01-01T00:00:00Z") });
const chat = new ChatClient({ baseUrl: "http://fake.test", apiKey: service.apiKey, fetch: service.fetch });

await chat.users.create({ user_id: "kim_01", name: "Kim" });
service.advance(60_000);
service.failNext(
  { kind: "cut" },
  { kind: "respond", status: 503, code: "unavailable", retryAfterSeconds: 0 },
);
const kim = await chat.users.update("kim_01", { name: "Kim Min-jun" });

console.log(kim.updated_at - kim.created_at, service.requests.length);
