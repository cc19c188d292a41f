import * as z from "zod";
import { anyKey } from "./access";
import { channelPathParams } from "./channels";
import { anyBody, anyOperation, refusals } from "./errors";
import { userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { memberEntry } from "./members";
import { c, nothing } from "./router";

const body = z.strictObject({ manager: userId });
const path = "/group/channels/:channel_id/managers";

export const managers = c.router({
  list: {
    method: "GET",
    path,
    summary: "List the managers of a channel",
    description: "All of them, by the time of registration, oldest first.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: z.array(memberEntry), ...refusals([...anyOperation, "channel_not_found"]) },
    metadata: anyKey,
  },
  add: {
    method: "POST",
    path,
    summary: "Register a manager",
    description:
      "At most 10 managers a channel. A manager need not take part in the channel. Registering twice changes nothing.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...refusals([...anyBody, "channel_not_found", "user_not_found", "manager_limit_exceeded"]),
    },
    metadata: anyKey,
  },
  remove: {
    method: "DELETE",
    path,
    summary: "Remove a manager",
    description:
      "Ends the role; whoever takes part in the channel goes on doing so. Where a proxy drops the body of a DELETE, `extensions.revokeManager` does the same without one.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...refusals([...anyBody, "channel_not_found", "user_not_found", "manager_not_found"]),
    },
    metadata: anyKey,
  },
});
