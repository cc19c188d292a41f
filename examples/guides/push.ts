import { createECDH, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

// In place of a browser and its push service.
const service = createServer((_request, response) => void response.writeHead(201).end()).listen(0);
const { port } = service.address() as AddressInfo;
const subscription = {
  endpoint: `http://127.0.0.1:${port}/send/1`,
  keys: {
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  },
};
const kim = "push_kim";
const application = new ChatClient();
await application.users.create({ user_id: kim, name: "Kim" }).catch(ignoreExisting);
const token = () => application.users.createToken(kim);
const chat = new ChatClient({ baseUrl: process.env.MADANG_URL, token });

// At every start of the app, with the same id.
const { providers, webpush } = await chat.push.settings();
await chat.users.devices.register(kim, "laptop", { provider: "webpush", ...subscription });
console.log(providers.join(), webpush?.public_key.length);

// When nothing arrives: what does the push service say?
const { devices } = await chat.users.devices.list(kim);
for (const { device_id, last_push } of devices) {
  const { status, error } = await chat.users.devices.ping(kim, device_id);
  console.log(device_id, "last:", last_push?.status, "now:", error ?? status);
}

// When the person signs out.
await chat.users.devices.remove(kim, "laptop");

service.closeAllConnections();
service.close();
