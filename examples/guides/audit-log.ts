import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.users.create({ user_id: "audited_01", name: "Kim" }).catch(ignoreExisting);

// The actor and the reason of one call.
await chat.users.update("audited_01", { name: "Kim" }, { actor: "jane@example.com", reason: "ticket 4711" });

// The actor and the reason of all calls of a client.
const support = new ChatClient({ actor: "jane@example.com", reason: "ticket 4711" });
await support.users.get("audited_01");

// All entries about the user, newest first.
for await (const { at, operation, actor, reason } of chat.audit.list({ user_id: "audited_01" }))
  console.log(new Date(at).toISOString(), operation, actor ?? "-", reason ?? "-");
