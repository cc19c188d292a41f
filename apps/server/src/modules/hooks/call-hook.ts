import { hookResponse, limits } from "@madang/contract";
import type { Logger } from "pino";
import { ServiceError } from "../../errors/service-error";
import { currentClient } from "../../turns/client";
import type { AttemptOutcome, Receivers } from "../webhooks/delivery/receivers";
import { signedHeaders } from "../webhooks/delivery/send";
import { callsOfUserAtOnce, type Hook } from "./hook-set";
import type { CallLog } from "./seen-calls";
import type { HookOutcome } from "./store";

/** The message that a hook checks. `operation` is `messages.finish` at the end of a streamed message. */
export interface Question {
  readonly operation: "messages.send" | "messages.update" | "messages.finish";
  readonly channel_id: string;
  readonly user_id: string;
  readonly content: string;
  readonly [field: string]: unknown;
}

/** The response of a hook. `failure`: there was none, or it was invalid. */
export type Answer =
  | ReturnType<typeof hookResponse.parse>
  | { readonly action: "failure"; readonly retryAfterSeconds: number };

export interface CallDeps {
  readonly receivers: Pick<Receivers, "post">;
  readonly log: Pick<CallLog, "add">;
  readonly logger: Pick<Logger, "warn">;
  readonly now: () => number;
  readonly makeId: () => string;
  /** For metrics. `skipped`: the hook is paused, or there was no time left for the call. */
  readonly onCall?:
    | ((hookId: string, outcome: HookOutcome | "skipped", durationMs: number) => void)
    | undefined;
}

/** Calls a hook once. Waiting for its turn counts towards the time limit, which is at most what the request has left. */
export async function callHook(
  deps: CallDeps,
  hook: Hook,
  question: Question,
  leftMs: number,
): Promise<Answer> {
  const { calls, breaker } = hook;
  const startedAt = performance.now();
  const maxMs = Math.min(hook.timeoutMs, leftMs);
  const skip = () => {
    deps.onCall?.(hook.hookId, "skipped", performance.now() - startedAt);
    return {
      action: "failure",
      retryAfterSeconds: Math.max(1, Math.ceil(breaker.pausedMs / 1_000)),
    } as const;
  };
  if (breaker.pausedMs > 0 || maxMs <= 0) return skip();
  const client = currentClient();
  const waitsForOwn = client.kind === "user" && calls.of(client) >= callsOfUserAtOnce;
  const turn = await calls.take(1, client, maxMs).catch(returnNoneIfUnavailable);
  try {
    const timeoutMs = Math.floor(maxMs - (performance.now() - startedAt));
    // Otherwise a user could bypass a hook with `on_failure: "accept"` by sending many messages at once.
    if (waitsForOwn && (turn === undefined || timeoutMs < enoughTime * maxMs)) throw tooManyOfUser();
    // It may have been paused meanwhile.
    if (turn === undefined || breaker.pausedMs > 0 || timeoutMs <= 0) return skip();
    return await post(deps, hook, question, timeoutMs);
  } finally {
    turn?.release();
  }
}

/** A call that has less of its time limit left after waiting does not show whether the hook works. */
const enoughTime = 0.9;

/** Undefined if no turn was free in time. */
function returnNoneIfUnavailable(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== "unavailable") throw error;
}

const tooManyOfUser = () =>
  new ServiceError(
    "rate_limited",
    `A hook checks ${callsOfUserAtOnce} messages of this user already. Send fewer requests at the same time.`,
    { retryAfterSeconds: 1 },
  );

async function post(deps: CallDeps, hook: Hook, question: Question, timeoutMs: number): Promise<Answer> {
  const { receivers, log, logger, now, makeId, onCall } = deps;
  const { pk, hookId, url, breaker } = hook;
  const sentAt = now();
  const body = JSON.stringify(question);
  const headers = signedHeaders(hook.secretsAt(sentAt), `check_${makeId()}`, sentAt, body);
  const response = await receivers.post(url, headers, body, { timeoutMs, maxBodyBytes: limits.bodyBytes });
  const answer = readAnswer(response, question);
  const isFailure = "error" in answer;
  const outcome: HookOutcome = isFailure ? "failure" : answer.action;
  const { status, durationMs } = response;
  // An invalid response does not count: the sender may have caused it, for example with a text that the hook empties or makes too long.
  const isWorking = status !== null && status >= 200 && status < 300;
  const isCounted = isWorking || timeoutMs >= enoughTime * hook.timeoutMs;
  const isPaused = isCounted && breaker.count(!isWorking, question.user_id);
  const call = {
    operation: question.operation,
    outcome,
    ...(status !== null && { status }),
    duration_ms: durationMs,
    ...(isFailure && { error: answer.error }),
    created_at: now(),
  };
  log.add(pk, call, isPaused ? Math.round(now() + breaker.pausedMs) : undefined);
  onCall?.(hookId, outcome, durationMs);
  if (isPaused && isFailure)
    logger.warn({ hook: hookId, error: answer.error }, "a hook is paused: it failed repeatedly");
  return isFailure ? { action: "failure", retryAfterSeconds: 1 } : answer;
}

/** Errors are stored, so they contain nothing of the body, which may repeat the text of the message. */
function readAnswer(
  { status, error, body }: AttemptOutcome,
  question: Question,
): ReturnType<typeof hookResponse.parse> | { readonly error: string } {
  if (status === null || body === undefined) return { error: error ?? "There was no response." };
  if (status < 200 || status >= 300) return { error: `The status is ${status}.` };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { error: "The response is not JSON in UTF-8." };
  }
  const { data, error: invalid } = hookResponse.safeParse(json);
  if (data === undefined) {
    const [field = ""] = invalid.issues[0]?.path ?? [];
    return {
      error:
        field === "" ? "The response is not an action." : `The response has an invalid ${String(field)}.`,
    };
  }
  const fault = data.action === "replace" ? findFault(data, question) : undefined;
  return fault === undefined ? data : { error: fault };
}

/** Why the message could not be stored with what replaces it. */
function findFault(
  {
    content,
    parts,
  }: { readonly content?: string | undefined; readonly parts?: readonly unknown[] | undefined },
  question: Question,
): string | undefined {
  if (question.file !== undefined && (content !== undefined || parts !== undefined))
    return "A file message has neither content nor parts.";
  const { operation, attachments } = question;
  const countOf = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  const isEmpty = (content ?? question.content) === "" && countOf(parts ?? question.parts) === 0;
  return isEmpty &&
    question.file === undefined &&
    countOf(attachments) === 0 &&
    operation !== "messages.finish"
    ? "Nothing of the message is left."
    : undefined;
}
