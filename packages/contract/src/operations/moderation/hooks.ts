import * as z from "zod";
import { masterBodyErrors, masterErrors, problems } from "../../errors/errors";
import { hookAttempt, hook as hookExample, newHook, webhookSecret } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { hook, hookId, hookInput, hookWithAttempts, hookWithSecret } from "../../resources/hook";
import { c, nothing } from "../../router";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const pathParams = z.object({ hook_id: hookId });

const path = "/hooks";

export const hooks = c.router({
  create: {
    method: "POST",
    path,
    summary: "Create a hook",
    description: `Calls a URL of your server before a message is stored, on every process within a second. Several hooks are called one after the other, oldest first. At most ${limits.hooks} hooks can exist. An address in the server's own network is rejected.`,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        url: hookInput.url,
        operations: hookInput.operations,
        callers: hookInput.callers,
        timeout_ms: hookInput.timeout_ms.optional(),
        on_failure: hookInput.on_failure,
      })
      .meta({ id: "NewHook", description: "A hook to create." }),
    responses: { 201: hookWithSecret, ...problems([...masterBodyErrors, "hook_limit_exceeded"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        requests: example("A classifier for messages of users", newHook),
        responses: example("The hook with its secret", { ...hookExample, secret: webhookSecret }),
      },
    }),
  },
  list: {
    method: "GET",
    path,
    summary: "List the hooks",
    description: "All hooks by creation time, oldest first, without their secrets.",
    query: nothing,
    responses: {
      200: z
        .object({ hooks: z.array(hook).meta({ description: "The hooks, oldest first." }) })
        .meta({ id: "HookList", description: "All hooks." }),
      ...problems(masterErrors),
    },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: { responses: example("One hook", { hooks: [hookExample] }) },
    }),
  },
  get: {
    method: "GET",
    path: `${path}/:hook_id`,
    summary: "Get a hook",
    description: "The hook, with its latest calls.",
    pathParams,
    query: nothing,
    responses: { 200: hookWithAttempts, ...problems([...masterErrors, "hook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: { responses: example("The hook", { ...hookExample, attempts: [hookAttempt] }) },
    }),
  },
  update: {
    method: "PUT",
    path: `${path}/:hook_id`,
    summary: "Update a hook",
    description:
      "Changes the fields that are sent, on every process within a second. If the hook is paused, the pause ends.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        url: hookInput.url.optional(),
        operations: hookInput.operations.optional(),
        callers: hookInput.callers.optional(),
        timeout_ms: hookInput.timeout_ms.optional(),
        on_failure: hookInput.on_failure.optional(),
      })
      .refine(
        (change) => Object.values(change).some((value) => value !== undefined),
        "Must have at least one field.",
      )
      .meta({ id: "HookChange", description: "The new values of a hook." }),
    responses: { 200: hook, ...problems([...masterBodyErrors, "hook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        requests: example("Messages that it cannot check are rejected", { on_failure: "reject" }),
        responses: example("The updated hook", { ...hookExample, on_failure: "reject" }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: `${path}/:hook_id`,
    summary: "Delete a hook",
    description: "No process calls it after a second.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...masterBodyErrors, "hook_not_found"]) },
    metadata: metadata({ access: "master_key", user: "no" }),
  },
  rotate: {
    method: "POST",
    path: `${path}/:hook_id/rotate`,
    summary: "Replace the secret of a hook",
    description: `For ${limits.webhookRotationHours} hours, requests carry a signature with the new secret and one with the old secret.`,
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: hookWithSecret, ...problems([...masterBodyErrors, "hook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        responses: example("The hook with its new secret", { ...hookExample, secret: webhookSecret }),
      },
    }),
  },
});
