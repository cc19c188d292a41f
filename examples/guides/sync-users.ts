import { ChatClient, type NewUser } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();

/** Stands for a table of your application. */
const people = [
  { id: "step_01", name: "Kim Min-ji", image: "https://example.com/kim.png", team: "blue" },
  { id: "step_02", name: "Park Seo-jun", image: undefined, team: "red" },
];
const former = { user_id: "step_03", name: "Lee Ha-na", meta: { source: "directory" } };
await chat.users.create(former).catch(ignoreExisting);

// Reads the users of your application. At most 100 are in memory at a time.
async function* readUsers(): AsyncGenerator<NewUser> {
  for (const { id, name, image = "", team } of people)
    yield { user_id: id, name, profile_url: image, meta: { source: "directory", team } };
}

const ids = new Set<string>();
const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
for await (const { user_id, result = "rejected", code } of chat.users.upsertMany(readUsers())) {
  ids.add(user_id);
  counts[result] += 1;
  if (code !== undefined) console.error(`${user_id}: ${code}`);
}
console.log(counts);

// Suspends users who are no longer in the table, and ends that when they are back. Other users are left alone.
for await (const { user_id, meta, suspended_until } of chat.users.list()) {
  if (meta.source !== "directory") continue;
  const isSuspended = suspended_until !== undefined;
  if (ids.has(user_id) && isSuspended) await chat.users.unsuspend(user_id);
  if (ids.has(user_id) || isSuspended) continue;
  await chat.users.suspend(user_id, { reason: "Left" });
  console.log("suspended:", user_id);
}
