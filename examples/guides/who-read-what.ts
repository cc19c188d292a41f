import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.users.create({ user_id: "audited_01", name: "Kim" }).catch(ignoreExisting);

// Each call says who makes it, and why.
await chat.users.update("audited_01", { name: "Kim" }, { actor: "jane@example.com", reason: "ticket 4711" });

// A client can say it for all of its calls.
const support = new ChatClient({ actor: "jane@example.com", reason: "ticket 4711" });
await support.users.get("audited_01");

// Everything that named the user, newest first.
for await (const { at, operation, actor, reason } of chat.audit.list({ user_id: "audited_01" }))
  console.log(new Date(at).toISOString(), operation, actor ?? "-", reason ?? "-");
