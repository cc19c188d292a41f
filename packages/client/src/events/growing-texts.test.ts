import { expect, test, vi } from "vitest";
import type { AppendedEvent, ChatEvent, Message } from "../generated/types";
import { GrowingTexts } from "./growing-texts";

test("a reaction to a message that is being written costs no request", async () => {
  const read = vi.fn(async (): Promise<Message> => {
    throw new Error("It is not called.");
  });
  const texts = new GrowingTexts(read);
  const message_id = "1700000000000-1";
  const event = (type: string, data: object) =>
    ({
      event_id: type,
      type,
      created_at: 1,
      channel_id: "room_1",
      data: { message_id, ...data },
    }) as ChatEvent;
  const append = (index: number, content: string): AppendedEvent => ({
    type: "message.appended",
    channel_id: "room_1",
    data: { message_id, index, contents: [content] },
  });
  texts.take(
    event("message.created", { message: { type: "text", state: "streaming", content: "", append_count: 0 } }),
  );
  await expect(texts.append(append(0, "See "))).resolves.toMatchObject({ content: "See " });
  texts.take(event("reaction.added", { reaction: "👍", user_id: "kim_01" }));
  await expect(texts.append(append(1, "you"))).resolves.toMatchObject({ content: "See you" });
  // It was deleted.
  texts.take(event("message.updated", {}));
  await expect(texts.append(append(2, "!"))).rejects.toThrow("It is not called.");
});
