import * as z from "zod";
import { bodyErrors, memberErrors, problems } from "../../errors/errors";
import { entry, kim } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { memberEntry } from "../../resources/member";
import { c, nothing } from "../../router";
import { channelPathParams, memberPathParams, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";

const body = z.strictObject({ manager: userId }).meta({ id: "ManagerChange", description: "The manager." });
const path = "/group/channels/:channel_id/managers";

export const managers = c.router({
  list: {
    method: "GET",
    path,
    summary: "List the managers of a channel",
    description: "All managers by the time of registration, oldest first.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: z.array(memberEntry), ...problems([...memberErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "member",
      extension: false,
      examples: { responses: example("One manager", [entry(kim)]) },
    }),
  },
  add: {
    method: "POST",
    path,
    summary: "Register a manager",
    description:
      "A channel has at most 10 managers. A manager need not be a participant. Registering twice changes nothing.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "user_banned",
        "manager_limit_exceeded",
      ]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: { requests: example("The user who becomes a manager", { manager: "kim_01" }) },
    }),
  },
  remove: {
    method: "DELETE",
    path,
    summary: "Remove a manager",
    description: "Ends the manager role. A manager who is also a participant remains one.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "user_not_found", "manager_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: { requests: example("The manager to remove", { manager: "kim_01" }) },
    }),
  },
  removeByPath: {
    method: "DELETE",
    path: `${path}/:user_id`,
    summary: "Remove a manager, without a body",
    description:
      "Does the same as removing a manager with a body, for clients behind a proxy that drops the body of a DELETE.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "user_not_found", "manager_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      variantOf: "channels.managers.remove",
    }),
  },
});
