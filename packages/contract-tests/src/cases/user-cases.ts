import type { Operation } from "@madang/contract";
import { obstacles } from "../fixtures";
import type { Interaction, Interactions } from "../interaction";
import { problem } from "../problem";
import type { World } from "../world";

/** A user who has no part in what is given. */
export const stranger = { user_id: "stranger_99", name: "Stranger" };

const as = stranger.user_id;

/** How an operation rejects a user who may not call it, or not so. */
export function userCases(operation: Operation, { given = {}, request }: Interaction): Interactions {
  const world: World = { ...given, users: [...(given.users ?? []), stranger] };
  const notPermitted = { given: world, request: { ...request, as }, response: problem(403, "not_permitted") };
  const { user, id } = operation;
  if (user === "no") return { "rejects a user": notPermitted };
  const channelId = request?.params?.channel_id;
  const { as_user: _, ...query } = request?.query ?? {};
  const asStranger = { ...request, query, as };
  return {
    ...(user === "self" && namesUser(operation, request) && { "rejects another user": notPermitted }),
    ...(channelId !== undefined &&
      user !== "self" && {
        "rejects a user without a role in the channel": {
          given: world,
          request: asStranger,
          response: problem(404, "channel_not_found"),
        },
      }),
    ...(channelId !== undefined &&
      ["author", "author_or_manager", "manager"].includes(user) && {
        "rejects a participant who does not have the right": {
          ...notPermitted,
          given: { ...world, channels: addMember(world, channelId) },
        },
      }),
    ...(usersOfView.has(id) && {
      "rejects the view of another user": {
        ...notPermitted,
        request: { ...request, query: { ...request?.query, as_user: "other_98" }, as },
      },
    }),
  };
}

/** How a change of its own message is rejected for the user `kim_01`, who may not send to `lunch`. */
export const unwrittenCases = ({ given, request }: Interaction): Interactions =>
  Object.fromEntries(
    Object.entries(obstacles).map(([who, [obstacle, code]]) => [
      `rejects a user ${who}`,
      {
        given: { ...given, ...obstacle },
        request: { ...request, as: "kim_01" },
        response: problem(403, code),
      },
    ]),
  );

/** A user without a role in a channel gets the same response where there is none: each store decides that itself. */
export function absentChannelCases({ user }: Operation, { request }: Interaction): Interactions {
  if (user === "no" || user === "self" || request?.params?.channel_id === undefined) return {};
  const { as_user: _, ...query } = request.query ?? {};
  return {
    "rejects a user where there is no channel": {
      given: { users: [stranger] },
      request: { ...request, query, as },
      response: problem(404, "channel_not_found"),
    },
  };
}

/** The operations with `as_user`. */
const usersOfView: ReadonlySet<string> = new Set([
  "messages.list",
  "messages.get",
  "messages.replies",
  "channels.pins",
]);

const namesUser = ({ selfField }: Operation, request: Interaction["request"]) =>
  request?.params?.user_id !== undefined || Object(request?.body)[selfField ?? ""] !== undefined;

const addMember = ({ channels = [] }: World, channelId: string) =>
  channels.map((channel) =>
    channel.channel_id === channelId ? { ...channel, members: [...(channel.members ?? []), as] } : channel,
  );
