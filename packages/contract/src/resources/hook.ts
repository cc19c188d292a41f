import * as z from "zod";
import { hookAttempt, hook as hookExample, newHook, webhookSecret } from "../examples/data";
import { assignedId, timestamp } from "../rules/fields";
import { limits } from "../rules/limits";
import { metaInput } from "../rules/meta-fields";
import { text } from "../rules/text";
import { content } from "./message";
import { newParts } from "./parts";
import { webhookInput } from "./webhook";

const operations = ["messages.send", "messages.update"] as const;
const callers = ["users", "all"] as const;
const failures = ["accept", "reject"] as const;
const { min, max, default: defaultMs } = limits.hookTimeoutMs;

const fields = {
  hook_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: [hookExample.hook_id] }),
  url: z.string().meta({ description: "The URL that is called.", examples: [hookExample.url] }),
  operations: z.array(z.string()).meta({
    description: "The operations whose messages it checks.",
    examples: [hookExample.operations],
  }),
  callers: z.string().meta({
    description:
      "Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys.",
    examples: [hookExample.callers],
  }),
  timeout_ms: z.int().meta({
    description: "How long a check may take, in milliseconds.",
    examples: [hookExample.timeout_ms],
  }),
  on_failure: z.string().meta({
    description: "What happens to a message that it could not check: `accept` or `reject`.",
    examples: [hookExample.on_failure],
  }),
};
const times = { created_at: timestamp, updated_at: timestamp };

export const hook = z
  .object({ ...fields, ...times })
  .meta({ id: "Hook", description: "A URL of your server that is called before a message is stored." });

export const hookWithSecret = z
  .object({
    ...fields,
    secret: z.string().meta({
      description: "The secret that signs the requests. No other operation returns it.",
      format: "password",
      examples: [webhookSecret],
    }),
    ...times,
  })
  .meta({ id: "HookWithSecret", description: "A hook with its secret." });

const attempt = z
  .object({
    operation: z.string().meta({
      description: "What it checked: `messages.send`, `messages.update` or `messages.finish`.",
      examples: [hookAttempt.operation],
    }),
    outcome: z.string().meta({
      description:
        "The action of the response: `accept`, `reject` or `replace`. `failure`: there was no valid response.",
      examples: [hookAttempt.outcome],
    }),
    status: z
      .int()
      .optional()
      .meta({
        description: "The status of the response. Absent when there was no response.",
        examples: [hookAttempt.status],
      }),
    duration_ms: z
      .int()
      .meta({ description: "How long it took, in milliseconds.", examples: [hookAttempt.duration_ms] }),
    error: z.string().optional().meta({ description: "Why it failed." }),
    created_at: timestamp.meta({ description: "When it ended." }),
  })
  .meta({ id: "HookAttempt", description: "A call of a hook." });

export const hookWithAttempts = z
  .object({
    ...fields,
    paused_until: timestamp
      .meta({
        description: `Until when a process does not call it, because it failed ${limits.hookFailures} times in a row. Absent if no process has paused it.`,
      })
      .optional(),
    attempts: z.array(attempt).meta({
      description: `The latest ${limits.hookAttempts} calls of each outcome, newest first. They are stored once a second.`,
    }),
    ...times,
  })
  .meta({ id: "HookWithAttempts", description: "A hook with its latest calls." });

export const hookId = assignedId("The id of a hook.", hookExample.hook_id);

export const hookInput = {
  url: webhookInput.url.meta({
    ...webhookInput.url.meta(),
    description:
      "What to call: an `https:` URL of at most 2,048 characters, outside the server's own network.",
    examples: [newHook.url],
  }),
  operations: z
    .array(z.enum(operations, { error: 'Must be "messages.send" or "messages.update".' }))
    .min(1, "Must contain at least 1 operation.")
    .max(operations.length, `Must contain at most ${operations.length} operations.`)
    .meta({
      description:
        "The operations whose messages it checks. `messages.send` includes `messages.sendMany`, and the end of streamed messages.",
      examples: [newHook.operations],
    }),
  callers: z.enum(callers, { error: 'Must be "users" or "all".' }).meta({
    description:
      "Whose messages it checks. `users`: those sent with tokens and keys of users. `all`: also those sent with other keys.",
    examples: [newHook.callers],
  }),
  timeout_ms: z
    .int("Must be a whole number.")
    .min(min, `Must be at least ${min}.`)
    .max(max, `Must be at most ${max}.`)
    .meta({
      description: `How long a check may take, ${min} to ${max.toLocaleString("en-US")} ms, ${defaultMs.toLocaleString("en-US")} by default. A process makes ${limits.hookCallsAtOnce} calls at once; waiting for one to end counts.`,
      examples: [hookExample.timeout_ms],
    }),
  on_failure: z.enum(failures, { error: 'Must be "accept" or "reject".' }).meta({
    description:
      "What happens to a message that it could not check: `accept` stores it, `reject` responds with 503 `check_unavailable`.",
    examples: [newHook.on_failure],
  }),
};

/** The response to the call of a hook. */
export const hookResponse = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept") }),
  z.object({ action: z.literal("reject"), reason: text(limits.hookReason).optional() }),
  z
    .object({
      action: z.literal("replace"),
      content: z.union([content, z.literal("")]).optional(),
      parts: newParts.optional(),
      meta: metaInput.optional(),
    })
    .refine(
      ({ content, parts, meta }) => content !== undefined || parts !== undefined || meta !== undefined,
      "Must have content, parts or meta.",
    ),
]);
