import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim] = ["attachments_room", "attach_kim"];
await chat.users.create({ user_id: kim, name: "Kim" }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Attachments", members: [kim] }).catch(ignoreExisting);

// Upload a file and send it, in one call. `file` is a `Blob` or `File`, bytes, a stream or a path.
const files = [{ file: Buffer.from("Kimchi stew"), name: "menu.txt", type: "text/plain" }];
const sent = await chat.messages.send(room, { user_id: kim, type: "text", content: "Today:" }, { files });

// A message shows its files. An address works for at least one hour, without a key.
for (const { name, size, url } of ("attachments" in sent && sent.attachments) || [])
  console.log(name, size, await (await fetch(url)).text());

// In two steps, with progress. The file is sent with its id, or deleted after a day.
const file = await chat.files.upload(room, new Blob(["Noodles"], { type: "text/plain" }), {
  user_id: kim,
  name: "tomorrow.txt",
  onProgress: (sentBytes) => console.log("sent", sentBytes),
});
await chat.messages.send(room, { user_id: kim, type: "text", attachments: [{ file_id: file.file_id }] });
