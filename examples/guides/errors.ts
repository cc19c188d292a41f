import { ChatClient, ChatError, ConflictError, isApiError, NotFoundError } from "@madang/client";

const chat = new ChatClient();

// By class: setup code that can run again accepts a user that already exists.
for (const user_id of ["error_kim", "error_kim"]) {
  try {
    await chat.users.create({ user_id, name: "Kim" });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    console.log("exists already:", error.code);
  }
}

// By code, where a class has several.
try {
  await chat.messages.send("no_such_channel", { user_id: "error_kim", type: "text", content: "Hello" });
} catch (error) {
  if (!isApiError(error, "messages.send") || error.code !== "channel_not_found") throw error;
  console.log(error.detail);
}

// Every field of an error can be logged: none contains a key.
try {
  await chat.users.get("no_such_user");
} catch (error) {
  if (!(error instanceof ChatError)) throw error;
  console.log(error instanceof NotFoundError, error.status, error.attempts, error.requestId !== undefined);
}
