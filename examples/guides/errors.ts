import { ChatError, ConflictError, isApiError, NotFoundError } from "@madang/client";
import { connect } from "../src/connect.ts";

const chat = connect();

// By class: a user that is there already is no failure of a set-up that runs twice.
for (const user_id of ["error_kim", "error_kim"]) {
  try {
    await chat.users.create({ user_id, name: "Kim" });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    console.log("already there:", error.code);
  }
}

// By code, where one class has several.
try {
  await chat.messages.send("error_room", { user_id: "error_kim", type: "text", content: "Hello" });
} catch (error) {
  if (!isApiError(error, "messages.send") || error.code !== "channel_not_found") throw error;
  console.log(error.detail);
}

// What to log: every part of an error may be, for none holds a key.
try {
  await chat.users.get("error_nobody");
} catch (error) {
  if (!(error instanceof ChatError)) throw error;
  console.log(error instanceof NotFoundError, error.status, error.attempts, error.requestId !== undefined);
}
