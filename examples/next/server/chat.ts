import { ChatClient, ConflictError } from "@madang/client";

/** The service, with the API key: only the server of the application has it. Reads MADANG_URL and MADANG_API_KEY. */
export const connect = () => new ChatClient();

export const people: Readonly<Record<string, string>> = { next_kim: "Kim Min-jun", next_park: "박서연" };

/** Your application creates users when they sign up, and channels when they begin a conversation. */
export async function prepare(): Promise<void> {
  const chat = connect();
  for (const [user_id, name] of Object.entries(people))
    await chat.users.create({ user_id, name }).catch(ignoreExisting);
  const members = Object.keys(people);
  await chat.channels.create({ channel_id: "next_lunch", name: "Lunch", members }).catch(ignoreExisting);
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}
