import { ChatClient, isApiError, isChatError, NotFoundError } from "@madang/client";

const chat = new ChatClient();

try {
  await chat.channels.members.join("lunch_01", "nobody_99", { timeoutMs: 5_000, totalTimeoutMs: 20_000 });
} catch (error) {
  if (isApiError(error, "channels.members.join")) {
    // `code` is now typed with the error codes of a join.
    if (error.code === "member_limit_exceeded") console.log("the channel is full");
    if (error instanceof NotFoundError) console.log(error.detail, error.requestId);
  } else if (isChatError(error)) {
    // No response of the service: timeout, connection, abort, parse, validation, pagination.
    console.log(error.kind, error.attempts, error.retryable);
  }
}
