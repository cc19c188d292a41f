import {
  ChatClient,
  type ClientOptions,
  isApiError,
  isChatError,
  type Message,
  NotFoundError,
  type User,
} from "@madang/client";

// Compiled as a user would: no DOM library, every strict option, every module kind. It is never run.
const options: ClientOptions = {
  baseUrl: "http://127.0.0.1",
  apiKey: async () => "key",
  timeoutMs: undefined,
};
const chat = new ChatClient(options);

const kim: User = await chat.users.create({ user_id: "kim_01", name: "Kim", profile_url: undefined });
const { channel, created } = await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: [] });
const names: string[] = channel.members.map(({ name }) => name);
const isNew: boolean = created;
for await (const user of chat.users.list({ name: kim.name })) names.push(user.name);
for await (const page of chat.exports.messages("room_1", { start_date: new Date(0) }).pages()) {
  const cursor: string | undefined = page.nextCursor;
  const zone: string = page.timezone;
  const messages: Message[] = page.items;
  names.push(
    cursor ?? zone,
    ...messages.map((message) => (message.type === "file" ? message.file.url : message.content)),
  );
}
const first = await chat.users.list().firstPage();
const { data, meta } = await chat.raw.users.get("kim_01");
const status: number = meta.status;
names.push(first.items[0]?.name ?? "", data.name, String(status), String(isNew));

try {
  await chat.channels.members.join("room_1", "kim_01");
} catch (error) {
  if (isApiError(error, "channels.members.join") && error.code === "member_limit_exceeded")
    names.push(error.code);
  // @ts-expect-error: a join never throws this code.
  if (isApiError(error, "channels.members.join") && error.code === "user_exists") names.push(error.code);
  if (error instanceof NotFoundError) names.push(error.detail ?? "");
  if (isChatError(error) && error.kind === "timeout") names.push(error.message);
}

// @ts-expect-error: a name is required.
await chat.users.create({ user_id: "kim_01" });
// @ts-expect-error: there is no such field.
await chat.users.update("kim_01", { name: "Kim", nickname: "K" });
// @ts-expect-error: a message has one type.
await chat.messages.send("room_1", { user_id: "kim_01", type: "poll", content: "" });
// @ts-expect-error: the SDK names the cursor `cursor`.
chat.users.list({ next: "abc" });

// A switch shows each type of message, also one that is new.
function draw(message: Message): string {
  switch (message.type) {
    case "text":
      return `${message.user.name}: ${message.content}`;
    case "file":
      return `${message.user.name}: ${message.file.name}`;
    case "system":
      return message.content;
  }
}
// @ts-expect-error: system messages are missing.
function drawBefore(message: Message): string {
  switch (message.type) {
    case "text":
      return message.content;
    case "file":
      return message.file.name;
  }
}
// @ts-expect-error: a system message has no user.
const senderOf = (message: Message): string => message.user.name;
names.push(...[draw, drawBefore, senderOf].map((show) => show.name));

export { names };
