import { presentUser } from "./people";
import { type NewMessage, type NewUser, worldTime } from "./world";

/** A message of a world, as it is answered. */
export function presentMessage(message: NewMessage, sender: NewUser) {
  const { at = worldTime, channel_id, content, file, meta = {} } = message;
  return {
    message_id: "1",
    channel_id,
    user: presentUser(sender),
    ...(file === undefined ? { type: "text", content } : { type: "file", file }),
    meta,
    created_at: at,
    updated_at: at,
  };
}

/** The messages of a world's history from the one numbered `first` down to the one numbered `last`: newest first. */
export function listHistory(
  { channel_id, user_id, count }: { channel_id: string; user_id: string; count: number },
  first = count,
  last = 1,
): NewMessage[] {
  return Array.from({ length: first - last + 1 }, (_, index) => {
    const number = first - index;
    return { channel_id, user_id, content: `Message ${number}`, at: worldTime - (count - number) * 1_000 };
  });
}
