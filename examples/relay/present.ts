import type { Message, ReceivedEvent, User } from "@madang/client";

/** What browsers get of a user. Metadata and suspensions stay on the server. */
export const presentUser = ({ user_id, name }: Pick<User, "user_id" | "name">) => ({ user_id, name });

/** What browsers get of a message. A system message has no sender. */
export const presentMessage = (message: Message) =>
  message.type === "system" ? message : { ...message, user: presentUser(message.user) };

/** What browsers get of an event. Undefined: nothing, as of reports and of moderation, which not every participant may see. */
export function presentEvent(event: ReceivedEvent): object | undefined {
  switch (event.type) {
    case "message.created":
    case "message.updated":
    case "message.deleted": {
      const { type, channel_id, data } = event;
      const { message_id } = data;
      // Absent if the message was deleted meanwhile.
      const message = data.message && presentMessage(data.message);
      return { type, channel_id, message_id, message };
    }
    case "messages.imported":
      return { type: event.type, channel_id: event.channel_id };
    case "member.joined":
    case "member.left":
    case "member.read":
      return { type: event.type, channel_id: event.channel_id, user_id: event.user_id };
    default:
      return undefined;
  }
}
