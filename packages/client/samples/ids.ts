import { ChatClient, ConflictError, ids } from "@madang/client";

const chat = new ChatClient();

const user_id = ids.encode("김민수@example.com");
await chat.users.create({ user_id, name: "Kim" }).catch((error: unknown) => {
  if (!(error instanceof ConflictError)) throw error;
});
const user = await chat.users.get(user_id);
console.log(user.user_id, "is", ids.decode(user.user_id));
