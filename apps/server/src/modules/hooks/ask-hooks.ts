import type { MessagePart } from "@madang/contract";
import {
  type Allowed,
  type Checkable,
  checkUnavailable,
  type Draft,
  messageRejected,
} from "../../chat/checks";
import { type CallDeps, callHook, type Question } from "./call-hook";
import type { Hook } from "./hook-set";

/** The fields that hooks replace. */
export interface Replacement {
  readonly content?: string | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
  readonly meta?: Record<string, string> | undefined;
}

/** The time for all hooks of a request, as its client waits for them. */
const maxMs = 10_000;

/** Calls hooks one after the other: each gets the message as the previous ones changed it. Throws if the message must not be stored. */
export async function askHooks(
  deps: CallDeps,
  hooks: readonly Hook[],
  message: Question,
): Promise<Replacement> {
  const endsAt = performance.now() + maxMs;
  let question = message;
  let replacement: Replacement = {};
  for (const hook of hooks) {
    const answer = await callHook(deps, hook, question, endsAt - performance.now());
    if (answer.action === "reject") {
      const { reason } = answer;
      throw messageRejected({ check: "hook", ...(reason !== undefined && { reason }) });
    }
    if (answer.action === "failure" && hook.rejectsOnFailure)
      throw checkUnavailable(answer.retryAfterSeconds);
    if (answer.action !== "replace") continue;
    const { action: _, ...fields } = answer;
    replacement = { ...replacement, ...fields };
    question = { ...question, ...fields, content: fields.content ?? question.content };
  }
  return replacement;
}

interface Described extends Pick<Question, "operation">, Pick<Checkable, "channelId"> {
  readonly context?: Checkable["context"] | undefined;
}

/** A message as it would be stored: the fields of the request, and the other fields of a stored message. */
export const describeMessage = (
  { operation, channelId, context }: Described,
  { senderId, stored }: Pick<Allowed, "stored"> & { readonly senderId: string },
  text: string | undefined,
  { parts, meta }: Pick<Draft, "parts" | "meta">,
): Question => ({
  operation,
  channel_id: channelId,
  ...stored?.fields,
  ...context,
  user_id: senderId,
  content: text ?? stored?.content ?? "",
  ...(parts !== undefined && { parts }),
  ...(meta !== undefined && { meta }),
});
