import { isChatError } from "@madang/client";

/** Why a message was not stored. */
export interface SendError {
  /**
   * The code of the service, such as `message_rejected`, `slow_mode`, `member_muted` or `user_blocked`. `files_lost`: the page was loaded again
   * before its files were uploaded. Absent for what `send` of `ChatProvider` throws.
   */
  readonly code?: string;
  /** A sentence for the person who wrote it, in English. For other languages, translate the code. */
  readonly text: string;
  /** Of `message_rejected`: what rejected it. */
  readonly check?: "filter" | "hook";
  /** Of `message_rejected`: the reason that the application gave. */
  readonly reason?: string;
  /** Whether the same message may be stored later: offer to send it again. */
  readonly canRetry: boolean;
  /** Of `slow_mode`: when it can be sent, in milliseconds since the Unix epoch. */
  readonly retryAt?: number;
  /** What was thrown. A reload forgets it. */
  readonly cause?: unknown;
}

const texts: Readonly<Record<string, string>> = {
  channel_frozen: "Nobody can write here at the moment.",
  channel_not_found: "This conversation does not exist any more.",
  files_lost: "The page was loaded again before the files were uploaded.",
  member_muted: "You cannot write here at the moment.",
  message_not_found: "The message that this replies to was deleted.",
  message_rejected: "This contains something that is not allowed here.",
  not_a_participant: "You are not in this conversation any more.",
  slow_mode: "You have to wait before you write here again.",
  user_banned: "You cannot write here any more.",
  user_blocked: "You cannot write to this person.",
  user_suspended: "Your account is suspended.",
};

/** With these, the same message is rejected again. */
const finalCodes = [
  "channel_not_found",
  "files_lost",
  "invalid_request",
  "message_not_found",
  "message_rejected",
  "payload_too_large",
];

/** The error with a code. */
export const createSendError = (code: string) => ({
  code,
  text: texts[code] ?? "This could not be sent.",
  canRetry: !finalCodes.includes(code),
});

/** What a page shows of what was thrown. */
export function toSendError(cause: unknown): SendError {
  if (!isChatError(cause)) {
    const text = cause instanceof Error ? cause.message : String(cause);
    return { text, canRetry: true, cause };
  }
  const { code = cause.kind, check, reason, retryAfterMs = 0 } = cause;
  const error = createSendError(code);
  return {
    ...error,
    text: reason ?? error.text,
    ...(check !== undefined && { check }),
    ...(reason !== undefined && { reason }),
    ...(code === "slow_mode" && { retryAt: Date.now() + retryAfterMs }),
    cause,
  };
}
