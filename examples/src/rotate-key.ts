// Replaces a sub key without downtime. Needs the master key.
import { ChatClient } from "@madang/client";

const master = new ChatClient();
const old = await master.keys.create({ label: "billing" });
console.log(`the application uses ${hide(old.key)}`);

// 1. Create the new key, here for 90 days. Now both work.
const fresh = await master.keys.create({ label: "billing", expires_at: Date.now() + 90 * 86_400_000 });

// 2. Give it to the application. The client calls `apiKey` for every request, so nothing restarts.
let current = old.key;
const application = new ChatClient({ apiKey: () => current });
await application.users.list().firstPage();
current = fresh.key;
await application.users.list().firstPage();
console.log(`the application uses ${hide(fresh.key)}`);

// 3. Delete the old key. Within a second every server process rejects it.
await master.keys.delete(old.key);
console.log(`deleted ${hide(old.key)}; ${(await master.keys.list()).length} sub keys are left`);
await master.keys.delete(fresh.key);

function hide(key: string): string {
  return `${key.slice(0, 7)}…`;
}
