import { ChatClient, isApiError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, park] = ["moderated", "mod_kim", "mod_park"];
for (const user_id of [kim, park]) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: room, name: "Moderated", members: [kim, park] })
  .catch(ignoreExisting);

// Mute for an hour: Park can read, but cannot send or react.
await chat.channels.members.mute(room, park, Date.now() + 3_600_000);
await chat.messages
  .send(room, { user_id: park, type: "text", content: "Buy now" })
  .catch((error: unknown) => console.log(isApiError(error, "messages.send") && error.code));
await chat.channels.members.unmute(room, park);

// Ban permanently: Park is removed from the channel and cannot join again.
await chat.channels.bans.add(room, park, { reason: "Advertising" });
for await (const { user, reason } of chat.channels.bans.list(room)) console.log(user.user_id, reason);
await chat.channels.bans.remove(room, park);
await chat.channels.members.join(room, park);

// Suspend in every channel. Memberships are kept.
await chat.users.suspend(park, { reason: "Advertising" });
await chat.users.unsuspend(park);

// A user reports a message. Moderators process the open reports.
const { message_id } = await chat.messages.send(room, { user_id: park, type: "text", content: "Buy now" });
await chat.reports.create({ channel_id: room, message_id, reporter_user_id: kim, reason: "Advertising" });
for await (const { report_id, channel_id, message_id } of chat.reports.list({ status: "open" })) {
  if (message_id !== undefined)
    await chat.messages.delete(channel_id, message_id).catch((error: unknown) => {
      // Its sender was faster, or there are two reports of it.
      if (!isApiError(error, "messages.delete") || error.code !== "message_not_found") throw error;
    });
  await chat.reports.resolve(report_id, { status: "resolved", resolution: "The message was deleted." });
}
