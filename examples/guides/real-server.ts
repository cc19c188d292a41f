import { ChatClient } from "@madang/client";
import { startTestServer } from "@madang/server/testing";

const service = await startTestServer();
const chat = new ChatClient({ baseUrl: service.url, apiKey: service.masterKey });

await chat.users.create({ user_id: "kim_01", name: "Kim" });
await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Noon?" });
console.log(await chat.users.unread("kim_01"), (await chat.messages.list("room_1").firstPage()).items.length);

await service.reset();
console.log((await chat.users.list().firstPage()).items.length);
await service.close();
