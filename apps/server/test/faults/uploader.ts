import { workerData } from "node:worker_threads";
import { ChatClient } from "@madang/client";

/** Uploads files at once, in a thread of its own: the process that measures beside it does nothing else. */
const { url, apiKey, count, size } = workerData;
const chat = new ChatClient({ baseUrl: url, apiKey });
const file = { user_id: "kim_01", name: "photo.jpg", type: "image/jpeg" };
const bytes = Buffer.alloc(size, "f");
await Promise.all(Array.from({ length: count }, () => chat.files.upload("room_1", bytes, file)));
