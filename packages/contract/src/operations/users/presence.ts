import * as z from "zod";
import { memberErrors, problems } from "../../errors/errors";
import { example, metadata } from "../../operation-metadata";
import { presence as presenceOfUser } from "../../resources/presence";
import { c } from "../../router";
import { idList, userId } from "../../rules/fields";
import { limits } from "../../rules/limits";

export const presence = c.router({
  list: {
    method: "GET",
    path: "/presence",
    summary: "List who is online",
    description:
      "Whether users are online. A user is online while a stream of events, or a list of events that waits, is open with one of its tokens, and for 10 seconds after; clients that send `presence=invisible` and user keys do not count. As a user, only the user itself and those with whom it shares a channel are listed. If one of two users has blocked the other, both are `offline` to each other. To follow changes, open a stream with `presence_of`.",
    query: z.strictObject({
      user_ids: idList(userId, "users", "without other parameters", limits.presenceIds),
    }),
    responses: {
      200: z
        .object({
          presence: z
            .array(presenceOfUser)
            .meta({ description: "The users, in the order of their ids in the request." }),
        })
        .meta({ id: "PresenceList", description: "Whether users are online." }),
      ...problems([...memberErrors, "presence_disabled"]),
    },
    metadata: metadata({
      sdk: { example: 'const { presence } = await chat.presence.list({ user_ids: ["kim_01", "park_03"] });' },
      access: "any_key",
      user: "member",
      examples: {
        query: { user_ids: "kim_01,park_03" },
        responses: example("One of two users is online", {
          presence: [
            { user_id: "kim_01", status: "online" },
            { user_id: "park_03", status: "offline", last_seen_at: 1_699_999_980_000 },
          ],
        }),
      },
    }),
  },
});
