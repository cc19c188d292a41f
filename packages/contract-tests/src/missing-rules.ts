import type { Interaction, Interactions } from "./interaction";
import { refusal } from "./refusal";

/** What an operation on a channel answers when the channel is not there. */
export function missingChannelRules(accepted: Interaction, channelId: string): Interactions {
  const response = refusal(404, "channel_not_found");
  return {
    "refuses an id that no channel has": {
      ...accepted,
      request: { ...accepted.request, params: { channel_id: "nowhere" } },
      response,
    },
    "refuses a channel that was deleted": {
      ...accepted,
      given: { ...accepted.given, deletedChannels: [channelId] },
      response,
    },
  };
}

/** What an operation that names a user in a field of its body answers when the user is not there. */
export function missingUserRules(accepted: Interaction, field: string, userId: string): Interactions {
  const response = refusal(404, "user_not_found");
  return {
    "refuses an id that nobody has": {
      ...accepted,
      request: { ...accepted.request, body: { ...Object(accepted.request?.body), [field]: "nobody" } },
      response,
    },
    "refuses a user who was deleted": {
      ...accepted,
      given: { ...accepted.given, deletedUsers: [userId] },
      response,
    },
  };
}
